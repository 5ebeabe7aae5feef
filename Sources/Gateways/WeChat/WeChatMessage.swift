import Billing
import Foundation

/// A notification of WeChat Pay's before it is verified. Only its encrypted part names merchant and app, so it comes to the webhook of
/// its app.
struct WeChatMessage: UnverifiedMessage {
    let delivery: StoreDelivery
    let gateway: WeChatGateway

    var claimedIdentifier: String? { nil }

    func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage {
        guard let pay = try gateway.pay(of: account) else {
            throw GatewayError(.misconfigured, "The app's account has no merchant at WeChat Pay.")
        }
        let notification = try await pay.notification(delivery, at: now)
        let isKnown = notification.content != .ignored
        return StoreMessage(
            id: notification.id,
            type: notification.type,
            environment: gateway.checkoutEnvironment(of: account),
            signedAt: min(notification.createdAt ?? now, now),
            content: isKnown ? .unresolved : .ignored,
            keptText: WeChatPayKeptMessage(notification, body: delivery.payload).text
        )
    }
}
