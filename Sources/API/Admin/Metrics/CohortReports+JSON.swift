import APITypes
import Billing
import HTTP
import Storage

extension RetentionReport.Row {
    /// - Parameters:
    ///   - day: the reference date for the age of the cohort.
    ///   - running: the day that is not over yet.
    init(_ cohort: RetentionCohort, every length: BillingPeriod, on day: BusinessDay, running: BusinessDay) {
        let begun = cohort.begun(on: day, every: length)
        let unfinished = cohort.unfinished(on: day, running: running, every: length)
        self.init(
            from: cohort.month.first.description,
            to: cohort.month.last.description,
            subscriptions: Int(cohort.subscriptions),
            periods: (0..<cohort.periods(on: day, every: length)).map { number in
                let (paid, whole) = (cohort.paid(for: number), cohort.whole(of: number))
                return RetentionReport.Period(
                    eligible: Int(whole),
                    paid: Int(paid),
                    share: Revenue.percent(paid, of: whole),
                    isPartial: number >= begun - unfinished
                )
            }
        )
    }
}

extension ConversionReport.Row {
    /// - Parameter day: the reference date for the age of the cohort.
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
}

extension LifetimeValueReport.Prediction {
    init(_ value: PredictedValue, in currency: Currency) {
        self.init(
            from: value.month.first.description,
            to: value.month.last.description,
            value: Amount(value.amount, currency),
            lengths: value.lengths.map { length in
                LifetimeValueReport.Length(
                    period: length.period.description,
                    subscribers: Int(length.subscribers),
                    arpa: Amount(length.perSubscriber, currency),
                    churnRate: length.churnRate.map { Double($0) / 100 },
                    value: Amount(length.amount, currency)
                )
            }
        )
    }
}

extension Revenue {
    /// Returns a part of a whole in percent, with two decimals; nil if the whole is 0.
    static func percent(_ part: Int64, of whole: Int64) -> Double? { rate(part, of: whole).map { Double($0) / 100 } }
}

extension Amount {
    fileprivate init?(_ minorUnits: Int64?, _ currency: Currency) {
        guard let minorUnits else { return nil }
        self.init(Money(minorUnits: minorUnits, currency: currency))
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
