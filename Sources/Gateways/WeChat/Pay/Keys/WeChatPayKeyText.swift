import CryptoExtras
import Foundation

/// Reads RSA keys as WeChat Pay's console and tools write them, PKCS#8 or PKCS#1, and says which other file it is.
enum WeChatPayKeyText {
    /// The merchant's own key.
    ///
    /// - Throws: `.misconfigured`.
    static func privateKey(_ text: String) throws(GatewayError) -> _RSA.Signing.PrivateKey {
        let field = WeChatSetting.merchantKey
        switch label(text) {
        case "CERTIFICATE":
            throw wrong("This is a certificate, apiclient_cert.pem; the key is in apiclient_key.pem.", field)
        case "PUBLIC KEY", "RSA PUBLIC KEY":
            throw wrong("This is a public key; the merchant's private key is in apiclient_key.pem.", field)
        case "ENCRYPTED PRIVATE KEY":
            throw wrong("This key is locked with a password; apiclient_key.pem has none.", field)
        case "EC PRIVATE KEY": throw wrong("This is a key of an elliptic curve; WeChat Pay's are RSA.", field)
        default: break
        }
        guard let der = der(text), let key = try? _RSA.Signing.PrivateKey(derRepresentation: der) else {
            throw wrong("The merchant's key is no RSA key of 2,048 bits or more, as PEM (PKCS#8 or PKCS#1).", field)
        }
        return key
    }

    /// WeChat Pay's key.
    ///
    /// - Throws: `.misconfigured`.
    static func publicKey(_ text: String) throws(GatewayError) -> _RSA.Signing.PublicKey {
        let field = WeChatSetting.payPublicKey
        switch label(text) {
        case "CERTIFICATE":
            throw wrong("This is a certificate; WeChat Pay's public key is in pub_key.pem.", field)
        case let label? where label.hasSuffix("PRIVATE KEY"):
            throw wrong("This is a private key; WeChat Pay's public key is in pub_key.pem.", field)
        default: break
        }
        guard let der = der(text), let key = try? _RSA.Signing.PublicKey(derRepresentation: der) else {
            throw wrong("WeChat Pay's public key is no RSA public key of 2,048 bits or more, as PEM.", field)
        }
        return key
    }

    private static func wrong(_ message: String, _ field: String) -> GatewayError {
        GatewayError(.misconfigured, message, field: field)
    }

    /// "PRIVATE KEY" of `-----BEGIN PRIVATE KEY-----`; nil for base64 alone.
    private static func label(_ text: String) -> String? {
        guard text.utf8.count <= longest else { return nil }
        return text.firstMatch(of: /-----BEGIN ([A-Z0-9 ]{1,40})-----/).map { String($0.output.1) }
    }

    private static func der(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        let body = text.replacing(/-----(BEGIN|END) [A-Z0-9 ]{1,40}-----/, with: "").filter { !$0.isWhitespace }
        return Base64.decode(standard: Array(body.utf8))
    }

    /// A key of 4,096 bits has about 3,300 letters.
    private static let longest = 10_000
}
