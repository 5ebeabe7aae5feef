import Billing
import Foundation

/// A notification of Alipay's before it is verified.
struct AlipayMessage: UnverifiedMessage {
    let payload: String
    let claimedIdentifier: String?
    let gateway: AlipayGateway

    /// - Throws: `.malformed` for what is no form.
    init(_ payload: String, gateway: AlipayGateway) throws(GatewayError) {
        self.payload = payload
        self.gateway = gateway
        claimedIdentifier = try AlipayNotification.claimedAppID(payload.utf8)
    }

    func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage {
        let app = try gateway.configuration(of: account)
        let notification = try AlipayNotification(payload.utf8, for: app, at: now)
        let isUnpaid = notification.content == .waiting || notification.content == .closed
        return StoreMessage(
            id: notification.id,
            type: notification.type,
            subtype: notification.status,
            environment: gateway.checkoutEnvironment(of: account),
            signedAt: min(notification.signedAt, now),
            // An unpaid trade is asked about and closed when its time is over.
            content: isUnpaid ? .ignored : .unresolved,
            keptText: AlipayKeptForm(payload).text
        )
    }
}
