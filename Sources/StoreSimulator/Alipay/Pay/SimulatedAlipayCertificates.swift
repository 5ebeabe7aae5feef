import Crypto
package import CryptoExtras
package import Foundation
import SwiftASN1
import X509

/// The certificates of the simulated Alipay in certificate mode, for one app: roots, Alipay's own, and the app's.
package struct SimulatedAlipayCertificates: Sendable {
    /// In PEM, as Alipay's console offers them.
    package let app: String
    package let alipay: String
    package let roots: String
    /// The serial numbers that requests and answers name.
    package let appSerial: String
    package let alipaySerial: String
    package let rootSerial: String

    /// - Parameters:
    ///   - appKey: the public half of the app's key.
    ///   - alipayKey: that of Alipay's own.
    ///   - validity: of the app's and Alipay's own certificate.
    package init(
        appKey: _RSA.Signing.PublicKey,
        alipayKey: _RSA.Signing.PublicKey,
        validity: ClosedRange<Date> = TestCertificate.always
    ) throws {
        let rootKey = try Certificate.PrivateKey(_RSA.Signing.PrivateKey(keySize: .bits2048))
        let issuerKey = try Certificate.PrivateKey(_RSA.Signing.PrivateKey(keySize: .bits2048))
        // Alipay's file has roots of another kind of key, too, which do not count.
        let otherKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let root = try Self.name("Certification Authority R1")
        let issuer = try Self.name("Certification Authority Class 1 R1")
        let other = try Self.name("Certification Authority E1")
        func pem(
            _ subject: DistinguishedName,
            _ key: Certificate.PublicKey,
            _ serial: UInt64,
            by issuer: DistinguishedName,
            _ issuerKey: Certificate.PrivateKey,
            _ algorithm: Certificate.SignatureAlgorithm = .sha256WithRSAEncryption,
            isAuthority: Bool = false,
            validity: ClosedRange<Date> = TestCertificate.always
        ) throws -> String {
            var extensions = Certificate.Extensions()
            let constraints: BasicConstraints =
                isAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
            try extensions.append(Certificate.Extension(constraints, critical: true))
            return try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(serial),
                publicKey: key,
                notValidBefore: validity.lowerBound,
                notValidAfter: validity.upperBound,
                issuer: issuer,
                subject: subject,
                signatureAlgorithm: algorithm,
                extensions: extensions,
                issuerPrivateKey: issuerKey
            ).serializeAsPEM().pemString + "\n"
        }
        // Larger than 64 bits are read, too; here the numbers are written by the standard library.
        roots =
            try pem(root, rootKey.publicKey, 7_001, by: root, rootKey, isAuthority: true) + "\n"
            + pem(other, otherKey.publicKey, 7_002, by: other, otherKey, .ecdsaWithSHA256, isAuthority: true)
        let intermediate = try pem(issuer, issuerKey.publicKey, 7_003, by: root, rootKey, isAuthority: true)
        let alipayName = try Self.name("Alipay", unit: "Alipay")
        alipay =
            try pem(alipayName, Certificate.PublicKey(alipayKey), .max - 4, by: issuer, issuerKey, validity: validity)
            + intermediate
        let appName = try Self.name("2088000000000001", unit: "Shop")
        app =
            try pem(appName, Certificate.PublicKey(appKey), .max - 5, by: issuer, issuerKey, validity: validity)
            + intermediate
        (rootSerial, alipaySerial, appSerial) = Self.serials
    }

    /// Those that were made before.
    init(app: String, alipay: String, roots: String) {
        (self.app, self.alipay, self.roots) = (app, alipay, roots)
        (rootSerial, alipaySerial, appSerial) = Self.serials
    }

    /// They follow from names and numbers, which are always the same.
    private static var serials: (root: String, alipay: String, app: String) {
        (
            serial("Certification Authority R1", 7_001), serial("Certification Authority Class 1 R1", .max - 4),
            serial("Certification Authority Class 1 R1", .max - 5)
        )
    }

    private static func name(_ name: String, unit: String = "Certification Authority") throws -> DistinguishedName {
        try DistinguishedName {
            CountryName("CN")
            OrganizationName("Simulated Ant")
            OrganizationalUnitName(unit)
            CommonName("Simulated Ant \(name)")
        }
    }

    private static func serial(_ issuer: String, _ number: UInt64) -> String {
        let text = "CN=Simulated Ant \(issuer),OU=Certification Authority,O=Simulated Ant,C=CN\(number)"
        return Insecure.MD5.hash(data: Data(text.utf8))
            .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
