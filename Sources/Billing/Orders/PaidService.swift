import Foundation

/// Days of paid service, as stores count them for their share: those of one customer's account at the store in one subscription group,
/// which is what one original transaction is of, whatever product of the group each charge was for.
///
/// Charges count, also under an offer that is paid for and while their amount is not known; what is free, what was given back in full
/// and what a store extended by do not. The days stop at an expiry and while a charge fails, go on when the customer is charged again
/// within 60 days, and begin anew after that. What is recovered within a grace period leaves no gap
/// (Apple: app-store/subscriptions, "85 percent net revenue after one year").
struct PaidService {
    private var seconds: TimeInterval = 0
    private var endedAt: Date?

    /// The longest lapse in days after which a subscription's days go on.
    static let longestLapse = 60

    /// Whole days until an order, which goes on from them or begins anew. Clocks that are put forward take no day.
    mutating func days(until order: BookedOrder) -> Int {
        if let endedAt, order.purchasedAt > endedAt.addingTimeInterval(Double(Self.longestLapse) * Self.day) {
            seconds = 0
        }
        return Int(bounding: ((seconds + Self.day / 2) / Self.day).rounded(.down))
    }

    /// Adds an order's own days.
    ///
    /// - Parameter next: the start of the order after it, which takes its place.
    mutating func add(_ order: BookedOrder, until next: Date?) {
        guard let paidUntil = order.paidUntil else { return }
        let start = order.serviceStart(after: endedAt)
        let end = [paidUntil, next, order.serviceEndsEarly].compactMap(\.self).min() ?? paidUntil
        if order.isPaidService { seconds += max(0, end.timeIntervalSince(start)) }
        let served = [max(paidUntil, order.periodEndsAt ?? paidUntil), order.serviceEndsEarly].compactMap(\.self).min()
        endedAt = [endedAt, served].compactMap(\.self).max()
    }

    private static let day: TimeInterval = 86_400
}

extension Ledger {
    /// Says of each order how many days of paid service were before it.
    mutating func countPaidDays() {
        var service = PaidService()
        for index in orders.indices {
            orders[index].paidDays = service.days(until: orders[index])
            service.add(orders[index], until: orders[index...].dropFirst().first?.purchasedAt)
        }
    }
}

extension BookedOrder {
    /// True if its days are ones of paid service.
    fileprivate var isPaidService: Bool {
        guard isPriced else { return takenBackAt == nil && offer?.isFreeTrial != true }
        return amount.minorUnits > 0 && givenBackAt == nil
    }

    /// The time at which a refund of the store ended it; nil without one. A refund of some of several seats ends nothing: the rest goes on.
    fileprivate var serviceEndsEarly: Date? {
        guard isPriced else { return takenBackAt }
        guard refunded.minorUnits > 0, givenBackAt != nil || quantity == 1 else { return nil }
        let lastReversal = entries.lastIndex { $0.kind == .refundReversal } ?? entries.startIndex
        let last = entries[lastReversal...].filter { $0.kind.undoesCharge && $0.amount.minorUnits < 0 }.map(
            \.occurredAt
        ).max()
        return last.map { max($0, purchasedAt) }
    }

    /// The beginning of its service. A late charge ends a period after the charge or, within a grace period, a period after the end of the
    /// previous one; then it begins there.
    fileprivate func serviceStart(after end: Date?) -> Date {
        guard isRecovered, let end, let paidUntil, end < purchasedAt else { return purchasedAt }
        return BillingPeriod.deviation(from: end, to: paidUntil)
            < BillingPeriod.deviation(from: purchasedAt, to: paidUntil)
            ? end : purchasedAt
    }
}

extension BillingPeriod {
    /// The seconds by which a stretch misses whole weeks, months or years; infinitely many where it is counted in days.
    fileprivate static func deviation(from start: Date, to end: Date) -> TimeInterval {
        guard let period = BillingPeriod(from: start, to: end), period.unit != .day else { return .infinity }
        return period.end(from: start, in: .gmt).timeIntervalSince(end).magnitude
    }
}
