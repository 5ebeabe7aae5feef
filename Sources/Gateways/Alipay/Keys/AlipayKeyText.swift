import CryptoExtras
import Foundation

/// Reads RSA keys and certificates as Alipay's console and tools write them: PEM, or its base64 alone in one line; keys as PKCS#8 or
/// PKCS#1.
enum AlipayKeyText {
    static func privateKey(_ text: String) -> _RSA.Signing.PrivateKey? {
        der(text).flatMap { try? _RSA.Signing.PrivateKey(derRepresentation: $0) }
    }

    static func publicKey(_ text: String) -> _RSA.Signing.PublicKey? {
        der(text).flatMap { try? _RSA.Signing.PublicKey(derRepresentation: $0) }
    }

    /// The certificates of a text in their order, in DER; a text without PEM's lines is one.
    ///
    /// - Returns: nil for a text that is too long, and where one of them is no base64.
    static func certificates(_ text: String) -> [[UInt8]]? {
        guard text.utf8.count <= longestFile else { return nil }
        let blocks = text.matches(of: /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/).map(\.output.1)
        let bodies = blocks.isEmpty && !text.contains("-----") ? [text[...]] : blocks
        guard bodies.count <= mostCertificates else { return nil }
        var all: [[UInt8]] = []
        for body in bodies {
            guard let bytes = base64(body) else { return nil }
            all.append(bytes)
        }
        return all
    }

    /// A name, for people, of the thing that was entered in the place of a key; nil if it is nothing known.
    static func kind(of text: String) -> Kind? {
        guard text.utf8.count <= longestFile else { return nil }
        if text.contains("BEGIN CERTIFICATE REQUEST") || text.contains("BEGIN NEW CERTIFICATE REQUEST") {
            return .request
        }
        if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") { return .sealedKey }
        if privateKey(text) != nil { return .privateKey }
        if publicKey(text) != nil { return .publicKey }
        if let all = certificates(text), let first = all.first, (try? AlipayCertificate(first)) != nil {
            return .certificate
        }
        return nil
    }

    enum Kind: Hashable, Sendable {
        case privateKey
        case publicKey
        case certificate
        /// A request for a certificate, which Alipay's tool writes beside the key.
        case request
        /// A key that a password protects.
        case sealedKey

        /// "a public key"
        var words: StaticString {
            switch self {
            case .privateKey: "a private key"
            case .publicKey: "a public key"
            case .certificate: "a certificate"
            case .request: "a request for a certificate"
            case .sealedKey: "a key with a password"
            }
        }
    }

    private static func der(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        return base64(text.replacing(/-----(BEGIN|END) [A-Z0-9 ]{1,40}-----/, with: "")[...])
    }

    private static func base64(_ text: Substring) -> [UInt8]? {
        Base64.decode(standard: Array(text.filter { !$0.isWhitespace }.utf8))
    }

    /// A key of 4,096 bits has about 3,300 letters.
    private static let longest = 10_000
    /// The file with Alipay's roots has four certificates, and less than 10,000 letters.
    private static let longestFile = 100_000
    private static let mostCertificates = 20
}
