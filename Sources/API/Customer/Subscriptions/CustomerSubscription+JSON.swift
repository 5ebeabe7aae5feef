import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension CustomerSubscription {
    init(_ current: CurrentSubscription, _ confirmation: StoreConfirmation, product: ProductRecord?) {
        // No member of the document's struct is optional: of a first purchase that waits for its store the proof tells what there is.
        let awaited = current.isBasePlan ? confirmation.awaited : nil
        self.init(
            id: current.id ?? awaited?.id.uuid,
            userId: current.session.customer.uuid,
            tier: current.plan,
            billingPeriod: product.map { BillingPeriod.adverb($0.period) }
                ?? awaited.map { _ in BillingPeriod.adverb(BillingPeriod(1, .month)) },
            status: awaited == nil ? current.state.accessStatus : "pending",
            startDate: current.startedAt ?? awaited?.requestedAt,
            expiryDate: current.expiresAt ?? awaited?.requestedAt,
            autoRenew: current.willRenew,
            future: SubscriptionFuture(current),
            paymentMethod: current.store?.paymentMethod ?? awaited?.store.paymentMethod
                ?? (current.grant == nil ? nil : "grant"),
            lastSyncedAt: confirmation.lastHeardAt ?? awaited?.requestedAt
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
