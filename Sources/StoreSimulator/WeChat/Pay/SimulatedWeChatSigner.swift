import Crypto
import CryptoExtras
package import Foundation
import SwiftASN1
import X509

/// A key that the simulated WeChat Pay signs with: that of a platform certificate, or its public key.
package struct SimulatedWeChatSigner: Sendable {
    /// `PUB_KEY_ID_…`, or the certificate's serial.
    package let serial: String
    let key: _RSA.Signing.PrivateKey
    /// The certificate, or the public key.
    package let pem: String
    /// nil of the public key.
    package let validity: ClosedRange<Date>?

    /// The public key, of a new pair.
    package init(publicKeyID: String) throws {
        self.init(publicKeyID: publicKeyID, key: try _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    init(publicKeyID: String, key: _RSA.Signing.PrivateKey) {
        serial = publicKeyID
        self.key = key
        pem = key.publicKey.pemRepresentation
        validity = nil
    }

    /// A platform certificate.
    package init(certificateValidIn validity: ClosedRange<Date>) throws {
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        self.validity = validity
        var bytes = (0..<20).map { _ in UInt8.random(in: 0...255) }
        // Positive, and of full length.
        bytes[0] = bytes[0] & 0x3F | 0x40
        serial = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased()
        let name = try DistinguishedName {
            CommonName("Simulated WeChat Pay Platform")
            OrganizationName("Perennial Store Simulator")
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(bytes: bytes),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: name,
            subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        pem = try certificate.serializeAsPEM().pemString
    }

    var publicKey: _RSA.Signing.PublicKey { key.publicKey }

    /// Base64 of the signature over the three lines.
    func sign(timestamp: String, nonce: String, _ body: Data) throws -> String {
        let message = Data("\(timestamp)\n\(nonce)\n".utf8) + body + Data("\n".utf8)
        return try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
            .rawRepresentation.base64EncodedString()
    }

    /// Opens what was encrypted for it with OAEP and SHA-1; nil for what was not.
    func decrypt(_ text: String) -> String? {
        guard let bytes = Data(base64Encoded: text),
            let own = try? _RSA.Encryption.PrivateKey(derRepresentation: key.derRepresentation),
            let plain = try? own.decrypt(bytes, padding: .PKCS1_OAEP)
        else { return nil }
        return String(decoding: plain, as: UTF8.self)
    }
}
