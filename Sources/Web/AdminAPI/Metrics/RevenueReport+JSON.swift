import APITypes
import Billing
import Storage

extension RevenueReport.Row {
    init(_ cell: RevenueCell, isDivided: Bool, today: BusinessDay) {
        let revenue = cell.revenue
        func amount(_ minorUnits: Int64) -> Amount { Amount(Money(minorUnits: minorUnits, currency: cell.currency)) }
        self.init(
            from: cell.period.first.description,
            to: cell.period.last.description,
            isPartial: cell.period.isPartial(on: today),
            part: isDivided ? cell.part : nil,
            currency: cell.currency.code,
            gross: amount(revenue.gross),
            refunds: amount(revenue.refunds),
            net: amount(revenue.net),
            proceeds: amount(revenue.proceeds),
            refundsOfCharges: amount(revenue.refundsOfCharges),
            charges: revenue.charges,
            freeOrders: revenue.freeOrders,
            refundsMade: revenue.refundsMade,
            refundedCharges: revenue.refundedCharges
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("isPartial", isPartial)
            json.field("part", part)
            json.field("currency", currency)
            json.field("gross", gross)
            json.field("refunds", refunds)
            json.field("net", net)
            json.field("proceeds", proceeds)
            json.field("refundsOfCharges", refundsOfCharges)
            json.field("charges", charges)
            json.field("freeOrders", freeOrders)
            json.field("refundsMade", refundsMade)
            json.field("refundedCharges", refundedCharges)
        }
    }
}

extension RevenueReport {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", version)
            json.field("timeZone", timeZone)
            json.field("asOf", asOf)
            json.name("rows")
            json.array(rows) { json, row in row.write(to: &json) }
            json.name("missingRates")
            json.array(missingRates) { json, code in json.string(code) }
        }
    }
}

extension RevenueTrend {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("revenueTrends")
            json.array(revenueTrends) { json, month in
                json.object { json in
                    json.field("date", month.date)
                    json.field("revenue", month.revenue)
                }
            }
            json.field("currency", currency)
            json.name("missingRates")
            json.array(missingRates) { json, code in json.string(code) }
        }
    }
}

extension OrderStatistics {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("totalOrders", totalOrders)
            json.field("totalRevenue", totalRevenue)
            json.field("todayOrders", todayOrders)
            json.field("todayRevenue", todayRevenue)
            json.field("pendingRefunds", pendingRefunds)
            json.field("totalRefunded", totalRefunded)
            json.name("refundRate")
            json.literal("\(refundRate)")
            json.field("currency", currency)
            json.name("missingRates")
            json.array(missingRates) { json, code in json.string(code) }
        }
    }
}
