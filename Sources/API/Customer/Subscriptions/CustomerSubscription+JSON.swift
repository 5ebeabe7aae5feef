import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension CustomerSubscription {
    init(_ current: CurrentSubscription, _ confirmation: StoreConfirmation, product: ProductRecord?) {
        self.init(
            id: current.id,
            userId: current.session.customer.uuid,
            tier: current.plan,
            billingPeriod: product.map { BillingPeriod.adverb($0.period) },
            status: current.isBasePlan && confirmation.isAwaited ? "pending" : current.state.accessStatus,
            startDate: current.startedAt,
            expiryDate: current.expiresAt,
            autoRenew: current.willRenew,
            future: SubscriptionFuture(current),
            paymentMethod: current.store?.paymentMethod ?? (current.grant == nil ? nil : "grant"),
            lastSyncedAt: confirmation.lastHeardAt
        )
    }
}

extension Subscription.State {
    /// The status, one of `CustomerSubscription.statuses`: what a customer may use, not what the store does about it.
    fileprivate var accessStatus: String {
        switch self {
        case .trial, .active, .gracePeriod: "active"
        case .cancelled: "cancelled"
        case .pending: "pending"
        case .billingRetry, .paused, .expired, .trialExpired, .revoked: "expired"
        }
    }
}

extension Store {
    /// The lightgallery document's name of the store.
    var paymentMethod: String { source.lowercased() }
}
