import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority of Apple's shape, trusted by nobody but those who configure its root.
///
/// The keys of root and intermediate are forgotten as soon as the leaf is signed; only the leaf's signs messages.
package struct TestAuthority: Sendable {
    /// DER of the anchor that the receiving app must be configured with.
    package let root: [UInt8]
    package let intermediate: [UInt8]
    package let leaf: [UInt8]
    let key: P256.Signing.PrivateKey

    /// Makes a new one, with new keys.
    package init() throws {
        let rootKey = P384.Signing.PrivateKey()
        let intermediateKey = P384.Signing.PrivateKey()
        key = P256.Signing.PrivateKey()
        let rootName = try Self.name("Simulated Store Root CA")
        let intermediateName = try Self.name("Simulated Store Worldwide Developer Relations CA")
        root = try Self.issue(
            rootName,
            .init(rootKey.publicKey),
            .authority(maxPathLength: nil),
            marker: nil,
            by: rootName,
            rootKey
        )
        intermediate = try Self.issue(
            intermediateName,
            .init(intermediateKey.publicKey),
            .authority(maxPathLength: 0),
            marker: [1, 2, 840, 113_635, 100, 6, 2, 1],
            by: rootName,
            rootKey
        )
        leaf = try Self.issue(
            try Self.name("Simulated Store Receipt Signing"),
            .init(key.publicKey),
            .signer,
            marker: [1, 2, 840, 113_635, 100, 6, 11, 1],
            by: intermediateName,
            intermediateKey
        )
    }

    init(root: [UInt8], intermediate: [UInt8], leaf: [UInt8], key: P256.Signing.PrivateKey) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.key = key
    }

    /// What a certificate is for.
    private enum Role {
        case authority(maxPathLength: Int?)
        case signer
    }

    private static func name(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationName("Perennial Store Simulator")
        }
    }

    /// The extensions are those that a strict RFC 5280 verifier asks for (stores/apple.md, 7a).
    private static func issue(
        _ subject: DistinguishedName,
        _ publicKey: Certificate.PublicKey,
        _ role: Role,
        marker: ASN1ObjectIdentifier?,
        by issuer: DistinguishedName,
        _ issuerKey: P384.Signing.PrivateKey
    ) throws -> [UInt8] {
        var extensions = Certificate.Extensions()
        switch role {
        case .authority(let maxPathLength):
            try extensions.append(
                Certificate.Extension(
                    BasicConstraints.isCertificateAuthority(maxPathLength: maxPathLength),
                    critical: true
                )
            )
            try extensions.append(Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true))
        case .signer:
            try extensions.append(Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true))
            try extensions.append(Certificate.Extension(KeyUsage(digitalSignature: true), critical: true))
        }
        try extensions.append(Certificate.Extension(SubjectKeyIdentifier(hash: publicKey), critical: false))
        let issuerID = SubjectKeyIdentifier(hash: Certificate.PublicKey(issuerKey.publicKey)).keyIdentifier
        try extensions.append(
            Certificate.Extension(AuthorityKeyIdentifier(keyIdentifier: issuerID), critical: false)
        )
        if let marker {
            try extensions.append(Certificate.Extension(oid: marker, critical: false, value: [0x05, 0x00]))
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: validFrom,
            notValidAfter: validUntil,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA384,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuerKey)
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    /// 2015-01-01, earlier than any life that is simulated, to 2049-12-31.
    private static let validFrom = Date(timeIntervalSince1970: 1_420_070_400)
    private static let validUntil = Date(timeIntervalSince1970: 2_524_521_600)
}
