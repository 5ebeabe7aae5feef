import APITypes
import Billing
import Foundation
import HTTP
import Operations
import Storage

extension IOSSubscription {
    init(_ current: CurrentSubscription, _ confirmation: StoreConfirmation) {
        self.init(
            plan: current.plan,
            status: current.state.rawValue,
            expiresDate: current.expiresAt,
            productId: current.held?.subscription.productID,
            transactionId: current.held.flatMap { confirmation.transaction(of: $0) },
            future: SubscriptionFuture(current)
        )
    }
}

extension IOSReceiptValidation {
    init(_ current: CurrentSubscription, _ confirmation: StoreConfirmation, success: Bool, _ message: String) {
        let subscription = IOSSubscription(current, confirmation)
        self.init(
            success: success,
            message: message,
            data: Content(
                subscription: subscription,
                user: User(id: current.session.customer.uuid, subscription: subscription)
            )
        )
    }
}

extension IOSStatus {
    init(_ current: CurrentSubscription, _ confirmation: StoreConfirmation, _ usage: CustomerUsage) {
        let held = current.latest(at: .apple)
        self.init(
            data: Content(
                plan: current.plan,
                status: current.state.rawValue,
                platform: current.store?.platform ?? (current.grant == nil ? nil : "grant"),
                expiresDate: current.expiresAt,
                future: SubscriptionFuture(current),
                usage: IOSUsage(usage),
                ios: AppStore(
                    productId: held?.subscription.productID,
                    transactionId: held.flatMap { confirmation.transaction(of: $0) },
                    lastValidationDate: confirmation.lastHeardAt,
                    needsReceiptRefresh: confirmation.isAwaited || current.isOverdue(at: .apple)
                )
            )
        )
    }
}

extension IOSUsage {
    /// Makes nil where the customer's plan has no requests and tokens.
    fileprivate init?(_ usage: CustomerUsage) {
        func month(_ feature: String) -> WindowUsage? {
            usage.features.first { $0.feature == feature && $0.isIncluded }?.usage.windows.first { $0.window == .month }
        }
        guard let requests = month("requests"), let tokens = month("tokens") else { return nil }
        self.init(requests: Quota(requests), tokens: Quota(tokens))
    }
}

extension IOSUsage.Quota {
    fileprivate init(_ window: WindowUsage) {
        let tenths = window.limit.map { limit in
            (Double(window.used) / Double(max(1, limit)) * 1_000).rounded() / 10
        }
        self.init(current: window.used, limit: window.limit, percentage: tenths)
    }
}

extension StoreConfirmation {
    /// Returns the transaction of the current period; where no message has named it, the subscription's first.
    fileprivate func transaction(of held: HeldSubscription) -> String? {
        transactionIDs[held.id] ?? held.originalTransactionID
    }
}

extension Store {
    /// The platform of the apps that sell through the store.
    fileprivate var platform: String {
        switch self {
        case .apple: "ios"
        case .google: "android"
        default: rawValue
        }
    }
}
