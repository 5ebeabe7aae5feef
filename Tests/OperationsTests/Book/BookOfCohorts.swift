import Billing
import Foundation
import Storage

/// All metrics of cohorts and of access, a line for each month in which something happened.
struct BookOfCohorts {
    private var lines: [ReportingPeriod: [String]] = [:]

    init(
        _ retention: [RetentionCohort],
        _ conversion: [ConversionCohort],
        _ monthly: ConvertedMetrics<MonthlyValue>,
        _ lifetime: ConvertedMetrics<LifetimeValue>,
        _ access: [AccessCount],
        _ predicted: PredictedValue?
    ) {
        func money(_ amount: Int64?) -> String? {
            amount.map { Money(minorUnits: $0, currency: monthly.currency).description }
        }
        for cohort in retention where cohort.subscriptions != 0 {
            let paid = cohort.paid.isEmpty ? "none" : cohort.paid.map(String.init).joined(separator: " ")
            add(to: cohort.month, "began", "\(cohort.subscriptions) (paid \(paid))")
        }
        for cohort in conversion where cohort.customers != 0 {
            let paid = cohort.paid.map(String.init).joined(separator: " ")
            add(to: cohort.month, "seen", "\(cohort.customers) (paid \(paid))")
        }
        for value in monthly.rows where value.net != 0 {
            add(to: value.month, "ARPU", money(value.perCustomer))
            add(to: value.month, "ARPPU", money(value.perPayer))
        }
        for value in lifetime.rows where value.payers != 0 {
            add(to: value.month, "LTV", "\(money(value.perCustomer) ?? "") (\(money(value.perPayer) ?? ""))")
        }
        for count in access {
            for movement in AccessMovement.allCases where count[movement] != 0 {
                add(to: count.period, "\(movement)", String(count[movement]))
            }
        }
        if let predicted { add(to: predicted.month, "predicted LTV", money(predicted.amount)) }
    }

    /// The lines: "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), …"
    var text: [String] {
        lines.sorted { $0.key < $1.key }.map { period, metrics in
            "\(period.first.description.prefix(7)): \(metrics.joined(separator: ", "))"
        }
    }

    private mutating func add(to period: ReportingPeriod, _ metric: String, _ value: String?) {
        if let value { lines[period, default: []].append("\(metric) \(value)") }
    }
}
