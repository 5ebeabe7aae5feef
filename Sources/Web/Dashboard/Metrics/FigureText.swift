import Billing
import Storage

/// What figures of subscriptions, and the reasons for their changes, are called.
enum FigureText {
    static func name(of figure: SubscriberRowsFilter.Figure, _ words: Words) -> StaticString {
        switch figure {
        case .mrr: words.numbersMrr
        case .movements: words.subscriberRowsMovements
        case .active: words.numbersActive
        case .changes: words.subscriberRowsChanges
        case .lost: words.subscriberRowsLost
        case .trials: words.numbersTrials
        case .converted: words.subscriberRowsConverted
        case .pending: words.subscriberRowsPending
        case .abandoned: words.subscriberRowsAbandoned
        }
    }

    static func name(of kind: MovementClass, _ words: Words) -> StaticString {
        switch kind {
        case .new: words.numbersMovementNew
        case .reactivation: words.numbersMovementReactivation
        case .expansion: words.numbersMovementExpansion
        case .contraction: words.numbersMovementContraction
        case .churned: words.numbersMovementChurned
        }
    }

    static func name(of end: SubscriberRows.End, _ words: Words) -> StaticString {
        switch end {
        case .takenBack: words.subscriberRowsTakenBack
        case .expired(.cancelled): words.subscriberRowsCancelled
        case .expired(.billingError): words.subscriberRowsBillingError
        case .expired(.priceIncreaseRefused): words.subscriberRowsPriceRefused
        case .expired(.productUnavailable): words.subscriberRowsUnavailable
        case .expired(.other): words.subscriberRowsOtherReason
        }
    }
}
