import Billing
import Foundation

/// WeChat Pay for one app: opens orders, tells how they stand, pays refunds, and gives bills (payments.md, 1B).
package struct WeChatPay: Sendable {
    let client: WeChatPayClient

    /// - Parameter nonce: 32 letters and digits at most, another each time.
    package init(
        for merchant: WeChatPayConfiguration,
        over transport: any StoreTransport = HTTPStoreTransport(),
        clock: AppleServerClock = .system,
        nonce: @escaping @Sendable () -> String = WeChatPay.randomNonce
    ) {
        client = WeChatPayClient(for: merchant, over: transport, clock: clock, nonce: nonce)
    }

    package var merchant: WeChatPayConfiguration { client.merchant }

    package static let randomNonce: @Sendable () -> String = {
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return String((0..<32).map { _ in letters.randomElement() ?? "0" })
    }

    /// Asks, and applies the rule of `StoreFailure`.
    func ask<Content: Sendable>(
        _ call: WeChatPayCall,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(StoreFailure) -> Content {
        do {
            return try await client.ask(call, read: read)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Refuses an order that WeChat Pay could never take, before it is asked.
    static func refusal(_ message: String) -> StoreFailure {
        .refused(StoreRefusal(GatewayError(.malformed, message)))
    }
}
