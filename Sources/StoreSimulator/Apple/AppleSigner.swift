import Crypto
import Foundation
package import Gateways

/// Signs a notification and the two tokens within it, as Apple would, with the test authority's leaf.
package struct AppleSigner: Sendable {
    private let key: P256.Signing.PrivateKey
    /// `base64url(header).`, the same for every token.
    private let header: [UInt8]

    package init(authority: TestAuthority) {
        key = authority.key
        let chain = [authority.leaf, authority.intermediate, authority.root]
        let header: JSON = [
            "alg": "ES256", "x5c": .array(chain.map { .string(Data($0).base64EncodedString()) }),
        ]
        self.header = Base64.encode(url: header.bytes) + [UInt8(ascii: ".")]
    }

    /// Returns the `signedPayload` of the POST body: a JWS.
    package func sign(_ notification: SimulatedNotification) throws -> String {
        let transaction = try notification.transaction.map { try sign($0.payload(within: notification)) }
        let renewal = try notification.renewal.map { try sign($0.payload(within: notification)) }
        return try sign(notification.payload(signedTransaction: transaction, signedRenewal: renewal))
    }

    /// Returns a token over any payload.
    package func sign(_ payload: JSON) throws -> String {
        var token = header
        token.append(contentsOf: Base64.encode(url: payload.bytes))
        let signature = try key.signature(for: token)
        token.append(UInt8(ascii: "."))
        token.append(contentsOf: Base64.encode(url: Array(signature.rawRepresentation)))
        return String(decoding: token, as: UTF8.self)
    }
}
