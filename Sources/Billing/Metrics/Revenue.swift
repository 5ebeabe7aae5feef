/// The money of a period in one currency, in minor units; a sum that does not fit stops at the bounds. Definitions:
/// docs/metrics.md.
package struct Revenue: Hashable, Sendable {
    /// Successful charges, by the day of the charge.
    package var gross: Int64 = 0
    /// What was given back, by the day it was given back; what was taken back of that is subtracted.
    package var refunds: Int64 = 0
    /// What was given back, also later, of the period's charges.
    package var refundsOfCharges: Int64 = 0
    /// The stores' share of gross less refunds, estimated.
    package var fees: Int64 = 0
    /// Charges above zero.
    package var charges: Int = 0
    /// Orders without a price: free trials.
    package var freeOrders: Int = 0
    /// Refunds made in the period.
    package var refundsMade: Int = 0
    /// Charges of the period of which something stays given back.
    package var refundedCharges: Int = 0

    package init() {}

    /// May be negative.
    package var net: Int64 { gross.minus(refunds) }

    package var proceeds: Int64 { net.minus(fees) }

    package var orders: Int { charges + freeOrders }

    /// Refunds of gross in hundredths of a percent, by the day of the refund; nil without charges.
    package var cashRefundRate: Int? { Revenue.rate(refunds, of: gross) }

    /// Refunded charges of the period's charges in hundredths of a percent; nil without charges.
    package var cohortRefundRate: Int? { Revenue.rate(Int64(refundedCharges), of: Int64(charges)) }

    package static func + (left: Revenue, right: Revenue) -> Revenue {
        var sum = left
        sum.gross = left.gross.plus(right.gross)
        sum.refunds = left.refunds.plus(right.refunds)
        sum.refundsOfCharges = left.refundsOfCharges.plus(right.refundsOfCharges)
        sum.fees = left.fees.plus(right.fees)
        sum.charges += right.charges
        sum.freeOrders += right.freeOrders
        sum.refundsMade += right.refundsMade
        sum.refundedCharges += right.refundedCharges
        return sum
    }

    /// A share in hundredths of a percent, rounded half away from zero; nil of nothing.
    package static func rate(_ part: Int64, of whole: Int64) -> Int? {
        guard whole > 0 else { return nil }
        let scaled = Int128(part) * 20_000
        let doubled = Int128(whole) * 2
        let sign: Int128 = scaled < 0 ? -1 : 1
        return Int(clamping: (scaled + sign * Int128(whole)) / doubled)
    }
}
