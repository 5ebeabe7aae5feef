import Billing
import Foundation
import Storage

extension BackOffice {
    /// Applies what a store told together, in one transaction: all of it, or nothing.
    ///
    /// - Parameters:
    ///   - event: the main one, which finishes the notification; so it comes last.
    ///   - others: of what was bought together with that one's subscription.
    ///   - patience: the time to wait for a customer whom somebody else has locked.
    /// - Returns: the main event's result, unless another is refused.
    /// - Throws: the errors of `apply(_:patience:)` for one of them; then nothing has changed.
    func apply(
        _ event: StoreEvent,
        and others: [StoreEvent],
        from leased: LeasedNotification,
        patience: Duration
    ) async throws -> ApplyResult {
        let main = IncomingEvent(app: leased.app, event: event, origin: .notification(leased))
        guard !others.isEmpty else { return try await apply(main, patience: patience) }
        var incoming: [IncomingEvent] = []
        // In one order, so that nobody who applies the same ones waits for us while we wait for them.
        for other in others.sorted(by: { $0.transaction.originalID < $1.transaction.originalID }) {
            let beside = IncomingEvent(app: leased.app, event: other, origin: .besideInNotification(leased))
            incoming.append(try await completed(beside))
        }
        incoming.append(try await completed(main))
        do {
            let result = try await write(incoming, patience: patience)
            pulse.worked()
            return result
        } catch is LeaseLost {
            return .leaseLost
        }
    }

    /// Each that turns out to have its order elsewhere is marked, and all are written anew.
    private func write(_ incoming: [IncomingEvent], patience: Duration) async throws -> ApplyResult {
        var incoming = incoming
        for _ in incoming.indices {
            do {
                return try await writeOnce(incoming, patience: patience)
            } catch let found as PlacedElsewhere {
                incoming[found.index].bookElsewhere()  // safe: an index of the same list
            }
        }
        return try await writeOnce(incoming, patience: patience)
    }

    private func writeOnce(_ incoming: [IncomingEvent], patience: Duration) async throws -> ApplyResult {
        try await database.write(
            plansOnce: true,
            at: incoming.last.flatMap { recordingTime(of: $0.event) },
            lockTimeout: patience
        ) { transaction in
            var refused: TransitionRefused?
            var result = ApplyResult.ignored
            for (index, each) in incoming.enumerated() {
                var each = each
                each.refusedBeside = refused
                do {
                    result = try await apply(each, in: transaction)
                } catch is OrderIsElsewhere {
                    throw PlacedElsewhere(index: index)
                }
                if case .refused(let reason) = result { refused = refused ?? reason }
            }
            return refused.map(ApplyResult.refused) ?? result
        }
    }
}

/// The event at a place of the list has its order with another subscription.
private struct PlacedElsewhere: Error {
    var index: Int
}
