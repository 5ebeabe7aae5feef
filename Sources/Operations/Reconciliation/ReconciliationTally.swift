import Gateways
import Storage
import Synchronization

/// The results of the messages that a store says it sent.
struct ReconciliationTally: Sendable {
    var counts = Reconciliation.Counts()
    /// The first reason that a message was not accepted.
    var problem: String?
    /// The number of pages that were read.
    var pages = 0

    /// The result of one message.
    enum Received: Sendable {
        /// It was missing here.
        case missed
        case known
        case rejected(String)
    }

    /// An entry that is no message.
    mutating func countUnreadable(_ reason: String) {
        counts.read += 1
        counts.rejected += 1
        problem = problem ?? "An entry of the store's list cannot be read: \(reason)"
    }

    mutating func count(_ message: SentMessage, _ received: Received) {
        counts.read += 1
        if !message.wasDelivered { counts.undelivered += 1 }
        switch received {
        case .missed: counts.missed += 1
        case .known: break
        case .rejected(let reason):
            counts.rejected += 1
            problem = problem ?? reason
        }
    }
}

/// The same, counted by several at once.
final class SharedTally: Sendable {
    private let tally = Mutex(ReconciliationTally())

    var value: ReconciliationTally { tally.withLock { $0 } }

    func count(_ message: SentMessage, _ received: ReconciliationTally.Received) {
        tally.withLock { $0.count(message, received) }
    }

    /// A page of which everything was counted that can be read.
    func count(_ page: SentPage) {
        tally.withLock { tally in
            tally.pages += 1
            for reason in page.unreadable { tally.countUnreadable(reason) }
        }
    }
}
