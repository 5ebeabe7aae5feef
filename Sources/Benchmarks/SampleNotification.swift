import Crypto
import Foundation
import Gateways
import StoreSimulator

/// One renewal as the simulated App Store signs it, with all that is needed to judge it.
struct SampleNotification {
    let signer: AppleSigner
    let notification: SimulatedNotification
    let signedPayload: String
    let configuration: AppleConfiguration
    /// The signed messages within it: the notification, the transaction, the renewal's terms.
    let messages: [Message]

    /// A signed message with a key of the same kind as the store's.
    struct Message {
        let bytes: [UInt8]
        let signature: P256.Signing.ECDSASignature
        let key: P256.Signing.PublicKey

        var isAuthentic: Bool { key.isValidSignature(signature, for: bytes) }
    }

    /// - Throws: also when the simulated subscribers have no renewal, which they have.
    init() throws {
        let authority = try TestAuthority()
        signer = AppleSigner(authority: authority)
        let subscribers = SimulatedSubscribers(seed: 1, customers: 100, months: 24, endingAt: Date())
        guard let renewal = subscribers.notifications().last(where: { $0.type == "DID_RENEW" && $0.subtype == nil })
        else {
            throw CocoaError(.coderValueNotFound)
        }
        notification = renewal
        signedPayload = try signer.sign(renewal)
        configuration = try AppleConfiguration(
            bundleID: renewal.bundleID,
            appAppleID: renewal.appAppleID,
            mode: .simulator(anchors: [authority.root])
        )
        let key = P256.Signing.PrivateKey()
        messages = try Self.tokens(in: signedPayload).map { token in
            let bytes = Array(token.utf8.dropLast(Self.signatureLength))
            return Message(bytes: bytes, signature: try key.signature(for: bytes), key: key.publicKey)
        }
    }

    /// A dot and 64 bytes in base64.
    private static let signatureLength = 87

    private static func tokens(in signedPayload: String) throws -> [String] {
        let data = try payload(of: signedPayload)["data"]
        return [signedPayload] + ["signedTransactionInfo", "signedRenewalInfo"].compactMap { data?[$0]?.string }
    }

    static func payload(of token: String) throws -> JSON {
        try JSON(parsing: payloadBytes(of: token))
    }

    static func payloadBytes(of token: String) -> [UInt8] {
        let text = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { Array($0) } ?? []
    }
}
