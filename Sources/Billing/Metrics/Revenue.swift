/// The money of a period in one currency; a sum that does not fit stops at the bounds. Definitions: docs/metrics.md.
///
/// Amounts are kept as exactly as they were converted and rounded when they are read, in minor units: so what is added up is
/// rounded once (metrics.md, "Rounding").
package struct Revenue: Hashable, Sendable {
    private var exactGross: Int128 = 0
    private var exactRefunds: Int128 = 0
    private var exactCredits: Int128 = 0
    private var exactRefundsOfCharges: Int128 = 0
    private var exactFees: Int128 = 0
    /// Charges above zero.
    package var charges: Int = 0
    /// Orders without a price: free trials.
    package var freeOrders: Int = 0
    /// Refunds made in the period, of which something stands.
    package var refundsMade: Int = 0
    /// Charges of the period of which something stays given back.
    package var refundedCharges: Int = 0

    /// The parts of a minor unit in which revenue is kept. Digits after the twelfth decimal of a converted amount are no fraction of money
    /// but the remainder of a division: 117 / 1.04 is 112.5, 117 x (1 / 1.04) is less.
    package static let parts: Int128 = 1_000_000_000_000

    /// The number of these parts that a rate treats as one, so that the product fits.
    private static let ratedParts: Int128 = 1_000_000

    package init() {}

    /// - Parameters:
    ///   - charged: in parts of a minor unit, while the subscriber was in the first year of paid service and after it.
    ///   - refunded: the same of the refunds, and the refunds paid outside the store, of which it keeps its share.
    ///   - credited: the unused parts of periods that customers upgraded from.
    ///   - refundsOfCharges: the refunds of the period's charges, also later ones.
    package init(
        charged: (firstYear: Int128, later: Int128),
        refunded: (firstYear: Int128, later: Int128, elsewhere: Int128),
        credited: (firstYear: Int128, later: Int128) = (0, 0),
        refundsOfCharges: Int128,
        fee: StoreFee.Share
    ) {
        exactGross = charged.firstYear + charged.later
        exactRefunds = refunded.firstYear + refunded.later + refunded.elsewhere
        exactCredits = credited.firstYear + credited.later
        exactRefundsOfCharges = refundsOfCharges
        exactFees =
            ((charged.firstYear - refunded.firstYear - credited.firstYear) * Int128(fee.firstYear)
                + (charged.later - refunded.later - credited.later) * Int128(fee.later)) / 10_000
    }

    /// Successful charges, by the day of the charge.
    package var gross: Int64 {
        get { Self.rounded(exactGross) }
        set { exactGross = Int128(newValue) * Self.parts }
    }

    /// The refunds, by the day of the refund; reversed refunds are subtracted.
    package var refunds: Int64 {
        get { Self.rounded(exactRefunds) }
        set { exactRefunds = Int128(newValue) * Self.parts }
    }

    /// The unused parts of periods that customers upgraded from, by the day of the upgrade. They are no refunds.
    package var upgradeCredits: Int64 { Self.rounded(exactCredits) }

    /// The refunds of the period's charges, also later ones.
    package var refundsOfCharges: Int64 { Self.rounded(exactRefundsOfCharges) }

    /// May be negative.
    package var net: Int64 { Self.rounded(exactGross - exactRefunds - exactCredits) }

    /// Net less the stores' share of it, estimated.
    package var proceeds: Int64 { Self.rounded(exactGross - exactRefunds - exactCredits - exactFees) }

    package var orders: Int { charges + freeOrders }

    /// Refunds of gross in hundredths of a percent, by the day of the refund; nil without charges.
    package var cashRefundRate: Int? {
        // Computed from converted amounts, as exactly as a rate allows.
        Revenue.rate(exactRefunds / Self.ratedParts, of: exactGross / Self.ratedParts)
    }

    /// Refunded charges of the period's charges in hundredths of a percent; nil without charges.
    package var cohortRefundRate: Int? { Revenue.rate(Int64(refundedCharges), of: Int64(charges)) }

    package static func + (left: Revenue, right: Revenue) -> Revenue {
        var sum = left
        sum.exactGross += right.exactGross
        sum.exactRefunds += right.exactRefunds
        sum.exactCredits += right.exactCredits
        sum.exactRefundsOfCharges += right.exactRefundsOfCharges
        sum.exactFees += right.exactFees
        sum.charges += right.charges
        sum.freeOrders += right.freeOrders
        sum.refundsMade += right.refundsMade
        sum.refundedCharges += right.refundedCharges
        return sum
    }

    /// A share in hundredths of a percent, rounded half away from zero; nil of nothing.
    package static func rate(_ part: Int64, of whole: Int64) -> Int? { rate(Int128(part), of: Int128(whole)) }

    private static func rate(_ part: Int128, of whole: Int128) -> Int? {
        guard whole > 0 else { return nil }
        let scaled = part * 20_000
        let sign: Int128 = scaled < 0 ? -1 : 1
        return Int(clamping: (scaled + sign * whole) / (whole * 2))
    }

    /// Half a unit is rounded away from zero.
    private static func rounded(_ exact: Int128) -> Int64 {
        let half = exact < 0 ? -parts / 2 : parts / 2
        return Int64(clamping: (exact + half) / parts)
    }
}
