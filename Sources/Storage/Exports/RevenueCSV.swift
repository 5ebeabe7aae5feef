package import Billing

/// The numbers of a revenue chart as a file.
package enum RevenueCSV {
    package static func file(of answer: RevenueAnswer, today: BusinessDay) -> [UInt8] {
        var text = CSVText()
        text.heading([
            "from", "to", "is_partial", "part", "currency", "gross", "refunds", "upgrade_credits", "net",
            "proceeds_estimate",
            "refunds_of_charges", "charges", "free_orders", "refunds_made", "refunded_charges", "without_rate",
            "orders_without_amount",
        ])
        for cell in answer.cells {
            let (period, revenue) = (cell.period, cell.revenue)
            for value in [period.first.description, period.last.description] { text.plain(value) }
            text.plain(period.isPartial(on: today) ? "yes" : "no")
            text.text(cell.part.utf8)
            text.plain(cell.currency.code)
            for amount in [
                revenue.gross, revenue.refunds, revenue.upgradeCredits, revenue.net, revenue.proceeds,
                revenue.refundsOfCharges,
            ] {
                text.amount(amount, digits: cell.currency.digits)
            }
            for count in [revenue.charges, revenue.freeOrders, revenue.refundsMade, revenue.refundedCharges] {
                text.amount(Int64(count), digits: 0)
            }
            text.nothing()
            text.nothing()
            text.endRow()
        }
        // An amount without a rate is in no row, and has one of its own in the currency that was charged.
        for money in answer.unconverted {
            for _ in 0..<4 { text.nothing() }
            text.text(money.currency.code.utf8)
            for _ in 0..<10 { text.nothing() }
            text.amount(money.minorUnits, digits: money.currency.digits)
            text.nothing()
            text.endRow()
        }
        // Orders that no row counts get a row of their own.
        if answer.unpriced > 0 {
            for _ in 0..<16 { text.nothing() }
            text.amount(Int64(answer.unpriced), digits: 0)
            text.endRow()
        }
        return CSVText.byteOrderMark + text.bytes
    }
}
