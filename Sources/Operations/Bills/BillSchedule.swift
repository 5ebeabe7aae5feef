import Foundation
import Storage

/// The times at which a store is asked for a bill again: a decision about values.
enum BillSchedule {
    /// The bill after an answer that the store has not made it.
    static func notMade(_ bill: DailyBill, at now: Date) -> DailyBill {
        var next = bill
        (next.askedAt, next.problem, next.failures) = (now, nil, 0)
        if bill.state == .incomplete { return put(off: next, by: later, until: patience, at: now) }
        guard now < bill.endsAt.addingTimeInterval(patience) else {
            (next.state, next.nextAt) = (.missing, nil)
            return next
        }
        next.nextAt = now.addingTimeInterval(soon)
        return next
    }

    /// The bill after a question that brought no bill: whatever has happened, the store is asked for as long as it keeps bills.
    static func failed(_ bill: DailyBill, _ problem: String, at now: Date) -> DailyBill {
        var next = bill
        next.askedAt = now
        next.problem = String(problem.prefix(500))
        next.failures = min(bill.failures.advanced(by: 1), 1_000)
        guard now < bill.endsAt.addingTimeInterval(memory) else {
            if next.state == .awaited { next.state = .missing }
            next.nextAt = nil
            return next
        }
        next.nextAt = now.addingTimeInterval(min(soon * Double(next.failures), later))
        return next
    }

    /// The bill after it was fetched: one that broke off is asked for again.
    static func fetched(_ bill: DailyBill, rows: Int, unreadable: [String], isWhole: Bool, at now: Date) -> DailyBill {
        var next = bill
        (next.askedAt, next.fetchedAt, next.problem, next.failures) = (now, now, nil, 0)
        next.rows = rows
        next.unreadable = unreadable.prefix(DailyBill.mostUnreadable).map { String($0.prefix(200)) }
        guard isWhole, unreadable.isEmpty else {
            next.state = .incomplete
            return put(off: next, by: later, until: patience, at: now)
        }
        (next.state, next.nextAt) = (.compared, nil)
        return next
    }

    private static func put(
        off bill: DailyBill,
        by wait: TimeInterval,
        until limit: TimeInterval,
        at now: Date
    ) -> DailyBill {
        var next = bill
        next.nextAt = now < bill.endsAt.addingTimeInterval(limit) ? now.addingTimeInterval(wait) : nil
        return next
    }

    /// In seconds, as all of these.
    private static let soon: TimeInterval = 3_600
    private static let later: TimeInterval = 12 * 3_600
    /// A bill that is not made by then is never made.
    private static let patience: TimeInterval = 14 * 86_400
    /// Stores keep bills for three months.
    private static let memory: TimeInterval = 80 * 86_400
}
