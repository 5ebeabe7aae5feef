package import Crypto
import Foundation

/// A JWS in its compact form, signed with ES256: our own tokens, and what Apple wants to have signed by an app's own key.
package enum CompactJWS {
    /// - Parameters:
    ///   - keyID: the key's id in App Store Connect, in the developer account, or among our own keys.
    ///   - type: the header's `typ`.
    package static func sign(
        _ payload: JSON,
        keyID: String,
        key: P256.Signing.PrivateKey,
        type: String = "JWT"
    ) throws(GatewayError) -> String {
        let header: JSON = ["alg": "ES256", "kid": .string(keyID), "typ": .string(type)]
        let input = Base64.encode(url: header.bytes) + [UInt8(ascii: ".")] + Base64.encode(url: payload.bytes)
        do {
            let signature = try key.signature(for: input)
            let token = input + [UInt8(ascii: ".")] + Base64.encode(url: Array(signature.rawRepresentation))
            return String(decoding: token, as: UTF8.self)
        } catch {
            throw GatewayError(.misconfigured, "The key cannot sign.", field: "key", underlying: error)
        }
    }
}
