import Billing
import HTTP
import Storage
import Words

/// The names of subscription metrics, and of the reasons for their changes.
enum MetricText {
    /// Returns the sentence on what a total leaves out: amounts without a rate, and orders without an amount; nil for nothing.
    static func leftOut(_ metrics: RevenueMetrics, _ strings: Strings) -> String? {
        leftOut(unconverted(metrics.unconverted, strings), metrics.unpriced, strings)
    }

    /// Returns the sentence on missing rates followed by that on orders without an amount; nil for neither.
    static func leftOut(_ missingRates: String?, _ unpriced: Int, _ strings: Strings) -> String? {
        let parts = [missingRates, unpriced > 0 ? strings.analyticsUnpriced(count: unpriced) : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: strings.language == .chinese ? "" : " ")
    }

    /// Returns the sentence on amounts without a rate, by currency; nil for nothing.
    static func unconverted(_ amounts: [Money], _ strings: Strings) -> String? {
        guard !amounts.isEmpty else { return nil }
        let texts = amounts.map { MoneyText($0, strings).withCurrency }
        return strings.analyticsMissingRates(amounts: strings.list(texts))
    }

    static func name(of metric: SubscriberRowsFilter.Metric, _ strings: Strings) -> StaticString {
        switch metric {
        case .mrr: strings.analyticsMrr
        case .movements: strings.subscriberRowsMovements
        case .active: strings.analyticsActive
        case .changes: strings.subscriberRowsChanges
        case .lost: strings.subscriberRowsLost
        case .trials: strings.analyticsTrials
        case .converted: strings.subscriberRowsConverted
        case .pending: strings.subscriberRowsPending
        case .abandoned: strings.subscriberRowsAbandoned
        }
    }

    static func name(of kind: MovementClass, _ strings: Strings) -> StaticString {
        switch kind {
        case .new: strings.analyticsMovementNew
        case .reactivation: strings.analyticsMovementReactivation
        case .expansion: strings.analyticsMovementExpansion
        case .contraction: strings.analyticsMovementContraction
        case .churned: strings.analyticsMovementChurned
        case .moved: strings.analyticsMovementMoved
        }
    }

    static func name(of end: SubscriberRow.End, _ strings: Strings) -> StaticString {
        switch end {
        case .takenBack: strings.subscriberRowsTakenBack
        case .expired(.cancelled): strings.subscriberRowsCancelled
        case .expired(.billingError): strings.subscriberRowsBillingError
        case .expired(.priceIncreaseRefused): strings.subscriberRowsPriceRefused
        case .expired(.productUnavailable): strings.subscriberRowsUnavailable
        case .expired(.other): strings.subscriberRowsOtherReason
        }
    }
}
