import Billing
import Foundation
import Gateways
import Storage

/// A span of which a store's list of sent messages could not be read.
struct UnreadSpan: Sendable, Hashable {
    var start: Date
    var end: Date
    /// For people, with the store's words.
    var problem: String
}

extension BackOffice {
    /// Reads the messages that a store sent in the time range of a reconciliation.
    ///
    /// A list comes in pages, each named by the one before: if one cannot be read, the halves of the range are read by themselves, so that
    /// an odd page keeps back its own hours and nothing else.
    ///
    /// - Returns: the ranges that are left to be read, the earliest first.
    /// - Throws: `StoreFailure` for a store that is down, or answers nothing readable.
    func readSentMessages(
        of source: any ReconciliationSource,
        for reconciliation: Reconciliation,
        into tally: SharedTally
    ) async throws -> [UnreadSpan] {
        var unread: [UnreadSpan] = []
        var failuresInARow = 0
        // The earliest is last.
        var spans = [(start: reconciliation.readFrom, end: reconciliation.readTo)]
        while let span = spans.popLast() {
            let before = tally.value.pages
            do {
                try await read(span.start, span.end, of: source, for: reconciliation, into: tally)
                failuresInARow = 0
            } catch let failure as StoreFailure {
                guard case .unanswered(let reason) = failure, !failure.isAway else { throw failure }
                failuresInARow = tally.value.pages > before ? 1 : failuresInARow + 1
                guard failuresInARow <= Self.mostFailures else { throw failure }
                let length = span.end.timeIntervalSince(span.start)
                if length > Self.shortestSpan {
                    let middle = span.start.addingTimeInterval(length / 2)
                    spans += [(middle, span.end), (span.start, middle)]
                } else {
                    unread.append(UnreadSpan(start: span.start, end: span.end, problem: reason.message))
                }
            }
        }
        return unread
    }

    private func read(
        _ start: Date,
        _ end: Date,
        of source: any ReconciliationSource,
        for reconciliation: Reconciliation,
        into tally: SharedTally
    ) async throws {
        try await source.readSentMessages(from: start, to: end, in: reconciliation.environment) { page in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for message in page.messages {
                    group.addTask {
                        tally.count(message, try await self.receive(message, for: reconciliation))
                    }
                }
                try await group.waitForAll()
            }
            tally.count(page)
            var running = reconciliation
            running.counts = tally.value.counts
            try await self.database.keep(running)
        }
    }

    /// Takes in one message; what the inbox has no room for now it may have in a moment. What is odd about one keeps back no other.
    private func receive(
        _ message: SentMessage,
        for reconciliation: Reconciliation
    ) async throws -> ReconciliationTally.Received {
        var pauses: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5)]
        while true {
            do {
                let outcome = try await receiveNotification(
                    message.delivery.payload,
                    headers: message.delivery.headers,
                    from: reconciliation.store,
                    foundBy: reconciliation.id
                )
                switch outcome {
                case .stored: return .missed
                case .known: return .known
                }
            } catch let error as OperationsError where error.code == .overloaded {
                guard !pauses.isEmpty else { throw error }
                try await Task.sleep(for: pauses.removeFirst())
            } catch let error as OperationsError {
                return .rejected(error.message)
            }
        }
    }

    /// From half a year down to `shortestSpan` by halves, and one more.
    private static var mostFailures: Int { 11 }

    /// In seconds: what is shorter is left for the next time as a whole.
    private static var shortestSpan: TimeInterval { 6 * 3_600 }
}
