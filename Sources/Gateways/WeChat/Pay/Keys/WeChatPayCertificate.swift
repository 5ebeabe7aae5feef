import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// A platform certificate: one of the keys that WeChat Pay signs with, until it ends.
///
/// No chain is checked: it came encrypted with the merchant's APIv3 key, or from the merchant's own hand (payments.md, 1B).
struct WeChatPayCertificate: Sendable {
    let serial: WeChatPaySerial
    let key: _RSA.Signing.PublicKey
    let end: Date

    /// - Throws: `.malformed`.
    init(pem: String) throws(GatewayError) {
        guard pem.utf8.count <= Self.longest, let certificate = try? Certificate(pemEncoded: pem),
            let key = _RSA.Signing.PublicKey(certificate.publicKey)
        else { throw GatewayError(.malformed, "This is no certificate of an RSA key, in PEM.") }
        serial = WeChatPaySerial(certificate.serialNumber.bytes)
        self.key = key
        end = certificate.notValidAfter
    }

    /// Certificates one after the other.
    ///
    /// - Throws: `.malformed`.
    static func all(in text: String) throws(GatewayError) -> [WeChatPayCertificate] {
        guard text.utf8.count <= longest * most else {
            throw GatewayError(.malformed, "These are more than \(most) certificates.")
        }
        var certificates: [WeChatPayCertificate] = []
        for match in text.matches(of: /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/) {
            certificates.append(try WeChatPayCertificate(pem: String(match.output)))
        }
        guard !certificates.isEmpty else { throw GatewayError(.malformed, "This is no certificate in PEM.") }
        return certificates
    }

    private static let longest = 10_000
    private static let most = 10
}
