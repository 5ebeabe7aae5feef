import APITypes
import Billing
import Storage

extension RecurringRevenueReport.Row {
    init(_ revenue: RecurringRevenue, today: BusinessDay) {
        let movement = revenue.movement
        func amount(_ minorUnits: Int64) -> Amount { Amount(Money(minorUnits: minorUnits, currency: revenue.currency)) }
        self.init(
            from: revenue.period.first.description,
            to: revenue.period.last.description,
            isPartial: revenue.period.isPartial(on: today),
            currency: revenue.currency.code,
            start: amount(movement.start),
            new: amount(movement[.new]),
            reactivation: amount(movement[.reactivation]),
            expansion: amount(movement[.expansion]),
            contraction: amount(movement[.contraction]),
            churned: amount(movement[.churned]),
            end: amount(movement.end)
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("isPartial", isPartial)
            json.field("currency", currency)
            json.field("start", start)
            json.field("new", new)
            json.field("reactivation", reactivation)
            json.field("expansion", expansion)
            json.field("contraction", contraction)
            json.field("churned", churned)
            json.field("end", end)
        }
    }
}

extension RecurringRevenueReport {
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

extension SubscriberReport.Row {
    init(_ count: SubscriberCount, today: BusinessDay) {
        let movement = count.movement
        self.init(
            from: count.period.first.description,
            to: count.period.last.description,
            isPartial: count.period.isPartial(on: today),
            start: Int(movement.start),
            new: Int(movement[.new]),
            reactivated: Int(movement[.reactivation]),
            moved: Int(movement[.expansion] + movement[.contraction]),
            ended: Int(-movement[.churned]),
            end: Int(movement.end),
            lost: Int(count.lost),
            churnRate: count.churnRate.map { Double($0) / 100 }
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("isPartial", isPartial)
            json.field("start", start)
            json.field("new", new)
            json.field("reactivated", reactivated)
            json.field("moved", moved)
            json.field("ended", ended)
            json.field("end", end)
            json.field("lost", lost)
            json.name("churnRate")
            json.literal(churnRate.map { "\($0)" } ?? "null")
        }
    }
}

extension SubscriberReport {
    func write(to json: inout JSONWriter) {
        json.report(version, timeZone, asOf, rows) { json, row in row.write(to: &json) }
    }
}

extension TrialReport.Row {
    init(_ count: TrialCount, today: BusinessDay) {
        self.init(
            from: count.period.first.description,
            to: count.period.last.description,
            isPartial: count.period.isPartial(on: today),
            trials: Int(count.trials),
            converted: Int(count.converted),
            pending: Int(count.pending),
            abandoned: Int(count.abandoned)
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("isPartial", isPartial)
            json.field("trials", trials)
            json.field("converted", converted)
            json.field("pending", pending)
            json.field("abandoned", abandoned)
        }
    }
}

extension TrialReport {
    func write(to json: inout JSONWriter) {
        json.report(version, timeZone, asOf, rows) { json, row in row.write(to: &json) }
    }
}

extension JSONWriter {
    fileprivate mutating func report<Row>(
        _ version: Int,
        _ timeZone: String,
        _ asOf: String?,
        _ rows: [Row],
        _ write: (inout JSONWriter, Row) -> Void
    ) {
        object { json in
            json.field("version", version)
            json.field("timeZone", timeZone)
            json.field("asOf", asOf)
            json.name("rows")
            json.array(rows) { json, row in write(&json, row) }
        }
    }
}
