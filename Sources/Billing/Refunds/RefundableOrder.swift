package import Foundation

/// An order as far as a refund is concerned: what was charged, what went back, and what other requests hold.
package struct RefundableOrder: Hashable, Sendable {
    package var status: OrderStatus
    package var amount: Money
    package var refunded: Money
    /// The credit for an upgrade that replaced the order.
    package var credited: Money
    /// The amount that the unused parts of earlier periods have paid of its period, beside the charge.
    package var carriedIn: Money
    /// The amount that the unused part of its period has paid of a later one; it is not left here.
    package var carriedOut: Money
    /// The amount of other open requests, requested or approved.
    package var held: Money
    package var periodStartsAt: Date
    /// nil for a purchase that does not run for a time.
    package var periodEndsAt: Date?

    package init(
        status: OrderStatus,
        amount: Money,
        refunded: Money,
        credited: Money? = nil,
        carriedIn: Money? = nil,
        carriedOut: Money? = nil,
        held: Money,
        periodStartsAt: Date,
        periodEndsAt: Date?
    ) {
        self.status = status
        self.amount = amount
        self.refunded = refunded
        self.credited = credited ?? .zero(amount.currency)
        self.carriedIn = carriedIn ?? .zero(amount.currency)
        self.carriedOut = carriedOut ?? .zero(amount.currency)
        self.held = held
        self.periodStartsAt = periodStartsAt
        self.periodEndsAt = periodEndsAt
    }

    /// The most that can be asked for now; never below zero. What went on into a later period came first out of earlier ones, whose money is
    /// with their orders.
    package var left: Money {
        let wentOn = max(0, Int128(carriedOut.minorUnits) - Int128(carriedIn.minorUnits))
        let units =
            Int128(amount.minorUnits) - Int128(refunded.minorUnits) - Int128(credited.minorUnits) - wentOn
            - Int128(held.minorUnits)
        return Money(minorUnits: Int64(clamping: max(0, units)), currency: amount.currency)
    }

    /// Checks that a refund of the order can be requested.
    ///
    /// - Throws: `RefundRefused` with `.notCharged` or `.nothingLeft`.
    package func requireRefundable() throws(RefundRefused) {
        switch status {
        case .completed, .partiallyRefunded, .refunded, .superseded: break
        case .pending, .failed, .cancelled:
            throw RefundRefused(.notCharged, "The order was not charged, so there is nothing to give back.")
        }
        guard amount.minorUnits > 0 else {
            throw RefundRefused(.notCharged, "The order was free, so there is nothing to give back.")
        }
        guard left.minorUnits > 0 else {
            throw RefundRefused(.nothingLeft, nothingLeft)
        }
    }

    /// Some of the charge was taken off the price of a later period.
    package var wentOn: Bool { carriedOut.minorUnits > carriedIn.minorUnits }

    private var nothingLeft: String {
        if held.minorUnits > 0 { return "Other open requests hold what is left of the charge." }
        if wentOn {
            return "What was not given back was taken off the price of an upgrade. Give that back first."
        }
        return "Everything was given back already."
    }

    /// The price of the whole period: what was charged, and what earlier periods have paid of it.
    package var covered: Money {
        Money(minorUnits: amount.minorUnits.plus(carriedIn.minorUnits), currency: amount.currency)
    }

    /// The amount of a request of this kind at this moment.
    ///
    /// - Parameter chosen: the amount of a partial refund; the other kinds compute theirs.
    /// - Throws: `RefundRefused`.
    package func amount(for kind: Refund.Kind, chosen: Money?, at now: Date) throws(RefundRefused) -> Money {
        try requireRefundable()
        switch kind {
        case .full: return left
        case .prorated: return try proration(at: now).amount
        case .partial:
            let chosen = chosen ?? .zero(amount.currency)
            guard chosen.currency == amount.currency else {
                throw RefundRefused(.otherCurrency, "The order was charged in \(amount.currency).")
            }
            try Refund.requirePositive(chosen)
            guard chosen.minorUnits <= left.minorUnits else {
                throw RefundRefused(.aboveLeft(left), "No more than \(left) is left of the charge.")
            }
            return chosen
        }
    }

    /// The unused share of the paid period at a moment.
    ///
    /// - Throws: `RefundRefused` with `.noPeriod` or `.periodOver`, or because nothing is left.
    package func proration(at now: Date) throws(RefundRefused) -> Proration {
        try requireRefundable()
        guard status != .superseded else {
            throw RefundRefused(.periodOver, "An upgrade ended the paid period, and its unused part was credited.")
        }
        guard let periodEndsAt, periodEndsAt > periodStartsAt else {
            throw RefundRefused(.noPeriod, "What was bought does not run for a time, so no share of it is unused.")
        }
        guard let proration = Proration(of: covered, from: periodStartsAt, to: periodEndsAt, at: now, atMost: left)
        else {
            throw RefundRefused(.periodOver, "The paid period is over, so nothing of it is unused.")
        }
        return proration
    }
}
