package import Foundation

/// The limits within which a store pays refunds of one order.
package struct RefundLimits: Hashable, Sendable {
    /// The largest number of refunds; nil for any.
    package var most: Int?
    /// The shortest time between two of them, in seconds.
    package var apart: TimeInterval
    /// The time after the purchase in which it pays refunds, in seconds; nil for ever.
    package var within: TimeInterval?
    /// It gives back parts of an order. Where not, only the whole of it.
    package var takesParts: Bool

    package init(
        most: Int? = nil,
        apart: TimeInterval = 0,
        within: TimeInterval? = nil,
        takesParts: Bool = true
    ) {
        (self.most, self.apart, self.within, self.takesParts) = (most, apart, within, takesParts)
    }

    /// The reason why a store would not pay a refund, so that it is not asked. The database keeps the raw values.
    package enum Obstacle: String, Hashable, Sendable, CaseIterable {
        /// It gives back whole orders alone.
        case wholeOrdersOnly = "whole_orders_only"
        /// The order is older than its refunds.
        case tooOld = "too_old"
        /// The order had as many refunds as it pays.
        case tooMany = "too_many"
    }
}

/// The refunds that a store was asked for before, of the same order.
package struct EarlierPayouts: Hashable, Sendable {
    /// Without those that it refused or gave up.
    package var count: Int
    package var lastSentAt: Date?

    package init(count: Int, lastSentAt: Date?) {
        (self.count, self.lastSentAt) = (count, lastSentAt)
    }

    package static let none = EarlierPayouts(count: 0, lastSentAt: nil)
}

extension RefundPayout {
    /// The next thing to do about a payout.
    package enum Step: Hashable, Sendable {
        /// The store is asked to pay.
        case send
        /// The store is asked how it stands, and then, if it does not know the number, to pay under the same one.
        case ask
        /// Not before then: another refund of the order was sent a moment ago.
        case wait(until: Date)
        /// The store is not asked: it pays no such refund.
        case refuse(RefundLimits.Obstacle)
        case nothing
    }

    /// Decides about the next step.
    ///
    /// - Parameters:
    ///   - total: the whole amount that was paid for the order.
    ///   - purchasedAt: the time of the order's payment.
    package func step(
        of amount: Money,
        from total: Money,
        purchasedAt: Date,
        after earlier: EarlierPayouts,
        within limits: RefundLimits,
        at now: Date
    ) -> Step {
        switch state {
        case .sent, .processing, .abnormal: return .ask
        case .unpaid, .paid, .closed, .refused, .withdrawn: return .nothing
        case .waiting: break
        }
        if let obstacle = limits.obstacle(to: amount, from: total, purchasedAt: purchasedAt, after: earlier, at: now) {
            return .refuse(obstacle)
        }
        guard let last = earlier.lastSentAt else { return .send }
        let next = last.addingTimeInterval(limits.apart)
        return next > now ? .wait(until: next) : .send
    }
}

extension RefundLimits {
    /// nil where the store pays it.
    package func obstacle(
        to amount: Money,
        from total: Money,
        purchasedAt: Date,
        after earlier: EarlierPayouts,
        at now: Date
    ) -> Obstacle? {
        if !takesParts, amount != total { return .wholeOrdersOnly }
        if let within, now > purchasedAt.addingTimeInterval(within) { return .tooOld }
        if let most, earlier.count >= most { return .tooMany }
        return nil
    }
}
