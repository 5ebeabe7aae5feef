package import Foundation
package import SwiftASN1
package import X509

/// A certificate of a test authority that satisfies a strict RFC 5280 verifier (stores/apple.md, 7a).
package struct TestCertificate {
    package var subject: DistinguishedName
    package var publicKey: Certificate.PublicKey
    package var role: Role
    /// Apple's marker for the certificate's purpose.
    package var marker: ASN1ObjectIdentifier?
    package var validity: ClosedRange<Date>

    package init(
        _ commonName: String,
        _ publicKey: Certificate.PublicKey,
        _ role: Role,
        marker: ASN1ObjectIdentifier? = nil,
        validity: ClosedRange<Date> = Self.always
    ) throws {
        subject = try DistinguishedName {
            CommonName(commonName)
            OrganizationName("Perennial Store Simulator")
        }
        self.publicKey = publicKey
        self.role = role
        self.marker = marker
        self.validity = validity
    }

    /// The role of a certificate.
    package enum Role: Sendable {
        case authority(maxPathLength: Int?)
        case signer
    }

    /// Returns the certificate in DER, signed by its issuer.
    package func issued(
        by issuer: DistinguishedName,
        _ issuerKey: Certificate.PrivateKey,
        _ algorithm: Certificate.SignatureAlgorithm
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: algorithm,
            extensions: try extensions(issuer: issuerKey.publicKey),
            issuerPrivateKey: issuerKey
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    private func extensions(issuer: Certificate.PublicKey) throws -> Certificate.Extensions {
        var extensions = Certificate.Extensions()
        let (constraints, usage): (BasicConstraints, KeyUsage) =
            switch role {
            case .authority(let maxPathLength):
                (.isCertificateAuthority(maxPathLength: maxPathLength), KeyUsage(keyCertSign: true, cRLSign: true))
            case .signer:
                (.notCertificateAuthority, KeyUsage(digitalSignature: true))
            }
        try extensions.append(Certificate.Extension(constraints, critical: true))
        try extensions.append(Certificate.Extension(usage, critical: true))
        try extensions.append(Certificate.Extension(SubjectKeyIdentifier(hash: publicKey), critical: false))
        let issuerID = SubjectKeyIdentifier(hash: issuer).keyIdentifier
        try extensions.append(Certificate.Extension(AuthorityKeyIdentifier(keyIdentifier: issuerID), critical: false))
        if let marker {
            try extensions.append(Certificate.Extension(oid: marker, critical: false, value: [0x05, 0x00]))
        }
        return extensions
    }

    /// The markers of a signer's certificate, and of the certificate that issues signers.
    package static let signerMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    package static let issuerMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    /// 2010-01-01, earlier than any simulated purchase, to 2049-12-31.
    package static let always =
        Date(timeIntervalSince1970: 1_262_304_000)...Date(timeIntervalSince1970: 2_524_521_600)
}
