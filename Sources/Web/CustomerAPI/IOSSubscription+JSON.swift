import APITypes
import Billing
import Foundation
import Storage

extension IOSSubscription {
    init(_ current: CurrentSubscription, _ confirmation: StoreConfirmation) {
        self.init(
            plan: current.plan,
            status: current.state.rawValue,
            expiresDate: current.expiresAt,
            productId: current.held?.subscription.productID,
            transactionId: current.held.flatMap { confirmation.transaction(of: $0) }
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
    init(_ current: CurrentSubscription, _ confirmation: StoreConfirmation) {
        let held = current.latest(at: .apple)
        self.init(
            data: Content(
                plan: current.plan,
                status: current.state.rawValue,
                platform: current.store?.platform ?? (current.grant == nil ? nil : "grant"),
                expiresDate: current.expiresAt,
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

extension StoreConfirmation {
    /// Of the current period; where no message has named it, the subscription's first.
    fileprivate func transaction(of held: HeldSubscription) -> String? {
        transactionIDs[held.id] ?? held.originalTransactionID
    }
}

extension Store {
    /// Where apps run that sell through it.
    fileprivate var platform: String {
        switch self {
        case .apple: "ios"
        case .google: "android"
        default: rawValue
        }
    }
}
