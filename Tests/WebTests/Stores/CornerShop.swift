import Billing
import Crypto
import Foundation
import Gateways

/// A store that nobody has heard of; it needs only this file and an entry in a catalogue.
///
/// It signs its JSON with HMAC-SHA256 under a key that it shares with the app, in a header.
struct CornerShop: StoreGateway {
    static let store = Store(introducing: "corner_shop")
    static let signature = "x-corner-shop-signature"

    var store: Store { Self.store }
    var identifier: (name: String, field: String) { ("shop number", "shop") }

    func check(_ account: StoreAccount) throws(GatewayError) {
        guard account.secrets["signingKey"] != nil else {
            throw GatewayError(.misconfigured, "A shop signs with a key.", field: "secrets.signingKey")
        }
    }

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(delivery.payload.utf8)) else {
            throw GatewayError(.malformed, "The body is no message of a corner shop.")
        }
        return Sealed(message: message, delivery: delivery)
    }

    /// Returns the signature of a payload, in hexadecimal digits.
    static func sign(_ payload: String, with key: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(payload.utf8), using: SymmetricKey(data: Data(key.utf8)))
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    struct Message: Codable, Sendable {
        var id: String
        var shop: String
        /// The event: `bought`, `renewed` or `returned`.
        var what: String
        /// The time in milliseconds since 1970.
        var at: Int64
        var receipt: String
        var contract: String
        var product: String
        var fen: Int64
        var from: Int64
        var to: Int64
    }

    private struct Sealed: UnverifiedMessage {
        let message: Message
        let delivery: StoreDelivery

        var claimedIdentifier: String? { message.shop }

        func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage {
            guard let key = account.secrets["signingKey"]?.revealed,
                delivery.headers[CornerShop.signature] == CornerShop.sign(delivery.payload, with: key)
            else { throw GatewayError(.invalidSignature, "The signature does not fit the message.") }
            return StoreMessage(
                id: message.id,
                type: message.what,
                environment: .production,
                signedAt: message.signedAt,
                content: message.event.map(MessageContent.event) ?? .ignored
            )
        }
    }
}

extension CornerShop.Message {
    var signedAt: Date { Date(timeIntervalSince1970: Double(at) / 1_000) }

    /// The event; nil for an unknown word.
    var event: StoreEvent? {
        let kinds: [String: StoreEvent.Kind] = ["bought": .subscribed, "renewed": .renewed, "returned": .refunded]
        guard let kind = kinds[what], let yuan = Currency("CNY") else { return nil }
        return StoreEvent(
            id: id,
            store: CornerShop.store,
            environment: .production,
            signedAt: signedAt,
            kind: kind,
            transaction: StoreTransaction(
                id: receipt,
                originalID: contract,
                productID: product,
                purchasedAt: Date(timeIntervalSince1970: Double(from) / 1_000),
                expiresAt: Date(timeIntervalSince1970: Double(to) / 1_000),
                price: Money(minorUnits: fen, currency: yuan),
                revocation: kind == .refunded
                    ? StoreTransaction.Revocation(at: signedAt, reason: nil, milliPercent: nil) : nil
            )
        )
    }
}
