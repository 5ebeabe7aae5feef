import Billing
package import HTTP
package import Storage
import Synchronization

/// Counts the exports that run, and refuses what is more than the limits allow.
package final class ExportSlots: Sendable {
    private let limits: ExportLimits
    private let running = Mutex<[Staff.ID: Int]>([:])

    package init(_ limits: ExportLimits = ExportLimits()) {
        self.limits = limits
    }

    /// - Throws: `WebError` with `.tooManyRequests` when the person has all of theirs, `.unavailable` when all are
    ///   taken.
    package func take(for person: Staff.ID) throws(WebError) {
        let rejection: WebError? = running.withLock { running in
            if running[person, default: 0] >= limits.perPerson { return personLimitReached }
            if running.values.reduce(0, +) >= limits.inTotal { return totalLimitReached }
            running[person, default: 0] += 1
            return nil
        }
        if let rejection { throw rejection }
    }

    package func giveBack(of person: Staff.ID) {
        running.withLock { running in
            let left = running[person, default: 0] - 1
            running[person] = left > 0 ? left : nil
        }
    }

    private var personLimitReached: WebError {
        WebError(
            .tooManyRequests,
            "\(limits.perPerson) exports of yours are still being downloaded; take one to its end or stop it.",
            retryAfter: Self.retryAfter,
            underlying: ExportRejection.ofPerson
        )
    }

    private var totalLimitReached: WebError {
        WebError(
            .unavailable,
            "\(limits.inTotal) exports are being downloaded by other people; wait for one to end.",
            retryAfter: Self.retryAfter,
            underlying: ExportRejection.ofAll
        )
    }

    /// Seconds.
    private static let retryAfter = 10
}

/// The limit that an export met.
package enum ExportRejection: Error {
    case ofPerson
    case ofAll
    /// The first row was not there in time.
    case late
}
