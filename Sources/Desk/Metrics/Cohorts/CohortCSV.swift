import Billing
import HTTP
import Storage

/// The numbers of the cohorts as files.
enum CohortCSV {
    /// A row for each cohort and period.
    ///
    /// - Parameters:
    ///   - day: on which it is asked how old the cohorts are.
    ///   - running: the day that is not over yet.
    static func file(
        of cohorts: [RetentionCohort],
        every length: BillingPeriod,
        on day: BusinessDay,
        running: BusinessDay
    ) -> CSVFile {
        var file = CSVFile([
            "cohort_from", "cohort_to", "subscriptions", "period", "eligible", "paid", "share_percent", "is_partial",
        ])
        for cohort in cohorts {
            let begun = cohort.begun(on: day, every: length)
            let finished = begun - cohort.unfinished(on: day, running: running, every: length)
            for number in 0..<cohort.periods(on: day, every: length) {
                let (paid, whole) = (cohort.paid(for: number), cohort.whole(of: number))
                file.add(
                    cohort.month,
                    [cohort.subscriptions, Int64(number + 1), whole, paid],
                    share: Revenue.rate(paid, of: whole),
                    isPartial: number >= finished
                )
            }
        }
        return file
    }

    /// A row for each cohort and number of days; none of days is for ever.
    static func file(of cohorts: [ConversionCohort], on day: BusinessDay) -> CSVFile {
        var file = CSVFile([
            "cohort_from", "cohort_to", "customers", "within_days", "paid", "share_percent", "is_partial",
        ])
        for cohort in cohorts {
            for (days, paid) in zip(ConversionCohort.limits.map { Int64?(Int64($0)) } + [nil], cohort.paid) {
                file.add(
                    cohort.month,
                    [cohort.customers, days, paid],
                    share: Revenue.rate(paid, of: cohort.customers),
                    isPartial: days.map { cohort.month.last.advanced(by: Int($0)) >= day } ?? true
                )
            }
        }
        return file
    }

    static func file(of value: ConvertedMetrics<MonthlyValue>, on day: BusinessDay) -> CSVFile {
        var file = CSVFile([
            "from", "to", "is_partial", "currency", "net", "customers", "payers", "arpu", "arppu",
            "without_rate", "orders_without_amount",
        ])
        for row in value.rows {
            file.plain(row.month.first.description, row.month.last.description)
            file.plain(row.month.isPartial(on: day) ? "yes" : "no", value.currency.code)
            file.amounts([row.net], value.currency)
            file.counts([row.customers, row.payers])
            file.amounts([row.perCustomer, row.perPayer], value.currency)
            file.counts([nil, nil])
            file.endRow()
        }
        file.leaveOut(value, currencyAt: 3, behind: 9)
        return file
    }

    /// Returns the file of customers who gained and lost access.
    static func file(of counts: [AccessCount], on day: BusinessDay) -> CSVFile {
        var file = CSVFile(["from", "to", "is_partial", "gained", "regained", "lost", "raised", "lowered"])
        for row in counts {
            file.plain(row.period.first.description, row.period.last.description)
            file.plain(row.period.isPartial(on: day) ? "yes" : "no")
            file.counts(AccessMovement.allCases.map { row[$0] })
            file.endRow()
        }
        return file
    }

    static func file(of value: ConvertedMetrics<LifetimeValue>) -> CSVFile {
        var file = CSVFile([
            "cohort_from", "cohort_to", "currency", "customers", "payers", "net", "per_customer", "per_payer",
            "without_rate", "orders_without_amount",
        ])
        for row in value.rows {
            file.plain(row.month.first.description, row.month.last.description, value.currency.code)
            file.counts([row.customers, row.payers])
            file.amounts([row.net, row.perCustomer, row.perPayer], value.currency)
            file.counts([nil, nil])
            file.endRow()
        }
        file.leaveOut(value, currencyAt: 2, behind: 8)
        return file
    }
}

extension CSVFile {
    /// Adds rows for amounts without a rate and for orders without an amount, which no other row counts.
    ///
    /// - Parameters:
    ///   - place: of the column of currencies.
    ///   - columns: the number of columns before these two.
    fileprivate mutating func leaveOut<Row>(
        _ value: ConvertedMetrics<Row>,
        currencyAt place: Int,
        behind columns: Int
    ) {
        for money in value.unconverted {
            counts(Array(repeating: nil, count: place))
            text(money.currency.code)
            counts(Array(repeating: nil, count: columns - place - 1))
            amount(money.minorUnits, digits: money.currency.digits)
            counts([nil])
            endRow()
        }
        guard value.unpriced > 0 else { return }
        counts(Array(repeating: nil, count: columns + 1) + [Int64(value.unpriced)])
        endRow()
    }

    fileprivate mutating func add(_ month: ReportingPeriod, _ metrics: [Int64?], share: Int?, isPartial: Bool) {
        plain(month.first.description, month.last.description)
        counts(metrics)
        amount(share.map(Int64.init), digits: 2)
        plain(isPartial ? "yes" : "no")
        endRow()
    }
}
