import Billing
import Storage

/// What figures of subscriptions, and the reasons for their changes, are called.
enum MetricText {
    static func name(of metric: SubscriberRowsFilter.Metric, _ strings: Strings) -> StaticString {
        switch metric {
        case .mrr: strings.numbersMrr
        case .movements: strings.subscriberRowsMovements
        case .active: strings.numbersActive
        case .changes: strings.subscriberRowsChanges
        case .lost: strings.subscriberRowsLost
        case .trials: strings.numbersTrials
        case .converted: strings.subscriberRowsConverted
        case .pending: strings.subscriberRowsPending
        case .abandoned: strings.subscriberRowsAbandoned
        }
    }

    static func name(of kind: MovementClass, _ strings: Strings) -> StaticString {
        switch kind {
        case .new: strings.numbersMovementNew
        case .reactivation: strings.numbersMovementReactivation
        case .expansion: strings.numbersMovementExpansion
        case .contraction: strings.numbersMovementContraction
        case .churned: strings.numbersMovementChurned
        }
    }

    static func name(of end: SubscriberRows.End, _ strings: Strings) -> StaticString {
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
