import APITypes
import Billing
import HTTP
import Storage

extension RevenueReport.Row {
    /// - Parameter breakdown: of the report; nil for one that is not divided. A store is spelt as the filter takes it.
    init(_ cell: RevenueCell, by breakdown: RevenueCell.Breakdown?, today: BusinessDay) {
        let revenue = cell.revenue
        func amount(_ minorUnits: Int64) -> Amount { Amount(Money(minorUnits: minorUnits, currency: cell.currency)) }
        self.init(
            from: cell.period.first.description,
            to: cell.period.last.description,
            isPartial: cell.period.isPartial(on: today),
            part: breakdown.map { $0 == .store ? cell.part.uppercased() : cell.part },
            currency: cell.currency.code,
            gross: amount(revenue.gross),
            refunds: amount(revenue.refunds),
            upgradeCredits: amount(revenue.upgradeCredits),
            net: amount(revenue.net),
            proceeds: amount(revenue.proceeds),
            refundsOfCharges: amount(revenue.refundsOfCharges),
            charges: revenue.charges,
            freeOrders: revenue.freeOrders,
            refundsMade: revenue.refundsMade,
            refundedCharges: revenue.refundedCharges
        )
    }
}

extension Unconverted {
    init(_ money: Money) {
        self.init(currency: money.currency.code, amount: Amount(money))
    }
}
