import APITypes
import Billing
import Storage

extension RetentionReport.Row {
    /// - Parameter day: on which it is asked how old the cohort is.
    init(_ cohort: RetentionCohort, every length: BillingPeriod, on day: BusinessDay) {
        let begun = cohort.begun(on: day, every: length)
        let unfinished = cohort.unfinished(on: day, every: length)
        self.init(
            from: cohort.month.first.description,
            to: cohort.month.last.description,
            subscriptions: Int(cohort.subscriptions),
            periods: (0..<max(begun, cohort.paid.count)).map { number in
                let paid = number < cohort.paid.count ? cohort.paid[number] : 0
                return RetentionReport.Period(
                    paid: Int(paid),
                    share: Revenue.percent(paid, of: cohort.subscriptions),
                    isPartial: number >= begun - unfinished
                )
            }
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("subscriptions", subscriptions)
            json.name("periods")
            json.array(periods) { json, period in
                json.object { json in
                    json.field("paid", period.paid)
                    json.share("share", period.share)
                    json.field("isPartial", period.isPartial)
                }
            }
        }
    }
}

extension RetentionReport {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", version)
            json.field("timeZone", timeZone)
            json.field("asOf", asOf)
            json.field("period", period)
            json.name("rows")
            json.array(rows) { json, row in row.write(to: &json) }
        }
    }
}

extension ConversionReport.Row {
    /// - Parameter day: on which it is asked how old the cohort is.
    init(_ cohort: ConversionCohort, on day: BusinessDay) {
        let limits = ConversionCohort.limits.map(Int?.some) + [nil]
        self.init(
            from: cohort.month.first.description,
            to: cohort.month.last.description,
            customers: Int(cohort.customers),
            steps: zip(limits, cohort.paid).map { days, paid in
                ConversionReport.Step(
                    days: days,
                    paid: Int(paid),
                    share: Revenue.percent(paid, of: cohort.customers),
                    isPartial: days.map { cohort.month.last.advanced(by: $0) >= day } ?? true
                )
            }
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("customers", customers)
            json.name("steps")
            json.array(steps) { json, step in
                json.object { json in
                    json.number("days", step.days)
                    json.field("paid", step.paid)
                    json.share("share", step.share)
                    json.field("isPartial", step.isPartial)
                }
            }
        }
    }
}

extension ConversionReport {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", version)
            json.field("timeZone", timeZone)
            json.field("asOf", asOf)
            json.name("rows")
            json.array(rows) { json, row in row.write(to: &json) }
        }
    }
}

extension CustomerValueReport.Row {
    init(_ value: MonthlyValue, in currency: Currency, today: BusinessDay) {
        self.init(
            from: value.month.first.description,
            to: value.month.last.description,
            isPartial: value.month.isPartial(on: today),
            net: Amount(Money(minorUnits: value.net, currency: currency)),
            customers: Int(value.customers),
            payers: Int(value.payers),
            arpu: Amount(value.perCustomer, currency),
            arppu: Amount(value.perPayer, currency)
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("isPartial", isPartial)
            json.field("net", net)
            json.field("customers", customers)
            json.field("payers", payers)
            json.field("arpu", arpu)
            json.field("arppu", arppu)
        }
    }
}

extension CustomerValueReport {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", version)
            json.field("timeZone", timeZone)
            json.field("asOf", asOf)
            json.field("currency", currency)
            json.name("rows")
            json.array(rows) { json, row in row.write(to: &json) }
            json.codes("missingRates", missingRates)
        }
    }
}

extension LifetimeValueReport.Row {
    init(_ value: LifetimeValue, in currency: Currency) {
        self.init(
            from: value.month.first.description,
            to: value.month.last.description,
            customers: Int(value.customers),
            payers: Int(value.payers),
            net: Amount(Money(minorUnits: value.net, currency: currency)),
            perCustomer: Amount(value.perCustomer, currency),
            perPayer: Amount(value.perPayer, currency)
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("customers", customers)
            json.field("payers", payers)
            json.field("net", net)
            json.field("perCustomer", perCustomer)
            json.field("perPayer", perPayer)
        }
    }
}

extension LifetimeValueReport.Prediction {
    init(_ value: PredictedValue, in currency: Currency) {
        self.init(
            from: value.month.first.description,
            to: value.month.last.description,
            arppu: Amount(Money(minorUnits: value.perPayer, currency: currency)),
            churnRate: value.churnRate.map { Double($0) / 100 },
            value: Amount(value.amount, currency)
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("from", from)
            json.field("to", to)
            json.field("arppu", arppu)
            json.share("churnRate", churnRate)
            json.field("value", value)
        }
    }
}

extension LifetimeValueReport {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", version)
            json.field("timeZone", timeZone)
            json.field("asOf", asOf)
            json.field("currency", currency)
            json.name("rows")
            json.array(rows) { json, row in row.write(to: &json) }
            json.name("predicted")
            if let predicted { predicted.write(to: &json) } else { json.literal("null") }
            json.codes("missingRates", missingRates)
        }
    }
}

extension Revenue {
    /// Of a whole in percent, with two decimals; nil of nothing.
    static func percent(_ part: Int64, of whole: Int64) -> Double? { rate(part, of: whole).map { Double($0) / 100 } }
}

extension Amount {
    fileprivate init?(_ minorUnits: Int64?, _ currency: Currency) {
        guard let minorUnits else { return nil }
        self.init(Money(minorUnits: minorUnits, currency: currency))
    }
}

extension JSONWriter {
    /// A number with decimals, or null.
    fileprivate mutating func share(_ name: StaticString, _ share: Double?) {
        self.name(name)
        literal(share.map { "\($0)" } ?? "null")
    }

    fileprivate mutating func number(_ name: StaticString, _ number: Int?) {
        self.name(name)
        literal(number.map { "\($0)" } ?? "null")
    }

    fileprivate mutating func codes(_ name: StaticString, _ codes: [String]) {
        self.name(name)
        array(codes) { json, code in json.string(code) }
    }
}

extension AccessReport.Row {
    init(_ count: AccessCount, today: BusinessDay) {
        self.init(
            from: count.period.first.description,
            to: count.period.last.description,
            isPartial: count.period.isPartial(on: today),
            gained: Int(count[.gained]),
            regained: Int(count[.regained]),
            lost: Int(count[.lost]),
            raised: Int(count[.raised]),
            lowered: Int(count[.lowered])
        )
    }
}

extension AccessReport {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("version", version)
            json.field("timeZone", timeZone)
            json.field("asOf", asOf)
            json.name("rows")
            json.array(rows) { json, row in
                json.object { json in
                    json.field("from", row.from)
                    json.field("to", row.to)
                    json.field("isPartial", row.isPartial)
                    json.field("gained", row.gained)
                    json.field("regained", row.regained)
                    json.field("lost", row.lost)
                    json.field("raised", row.raised)
                    json.field("lowered", row.lowered)
                }
            }
        }
    }
}
