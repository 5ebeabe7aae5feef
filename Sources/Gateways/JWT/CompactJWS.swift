package import Crypto
import Foundation

/// A JWS in its compact form, signed with ES256: what Apple wants to have signed by an app's own key.
package enum CompactJWS {
    /// - Parameter keyID: the key's id in App Store Connect, or in the developer account.
    package static func sign(
        _ payload: JSON,
        keyID: String,
        key: P256.Signing.PrivateKey
    ) throws(GatewayError) -> String {
        let header: JSON = ["alg": "ES256", "kid": .string(keyID), "typ": "JWT"]
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
