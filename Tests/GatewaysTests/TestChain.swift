import Crypto
import Foundation
import SwiftASN1
import X509

@testable import Gateways

/// A certificate chain of Apple's shape, with any fault that a test gives it.
struct TestChain {
    var root: [UInt8]
    var intermediate: [UInt8]
    var leaf: [UInt8]
    var key: P256.Signing.PrivateKey

    static let start = Date(timeIntervalSince1970: 1_700_000_000)
    static let end = Date(timeIntervalSince1970: 1_900_000_000)

    /// The contents of a certificate of the chain.
    struct Shape {
        var marker: ASN1ObjectIdentifier?
        var isAuthority = true
        var maxPathLength: Int?
        var mayCertify = true
        var validity = TestChain.start...TestChain.end
    }

    init(
        intermediate intermediateShape: Shape = Shape(marker: Self.intermediateMarker, maxPathLength: 0),
        leaf leafShape: Shape = Shape(marker: Self.leafMarker, isAuthority: false, mayCertify: false)
    ) throws {
        let rootKey = P384.Signing.PrivateKey()
        let intermediateKey = P384.Signing.PrivateKey()
        key = P256.Signing.PrivateKey()
        let rootName = try DistinguishedName { CommonName("Test Root") }
        let intermediateName = try DistinguishedName { CommonName("Test Intermediate") }
        root = try Self.issue(
            rootName,
            .init(rootKey.publicKey),
            Shape(),
            by: rootName,
            .init(rootKey)
        )
        intermediate = try Self.issue(
            intermediateName,
            .init(intermediateKey.publicKey),
            intermediateShape,
            by: rootName,
            .init(rootKey)
        )
        leaf = try Self.issue(
            try DistinguishedName { CommonName("Test Leaf") },
            .init(key.publicKey),
            leafShape,
            by: intermediateName,
            .init(intermediateKey)
        )
    }

    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    /// Returns a JWS over the payload. `x5c` and `algorithm` replace the values that an honest signer writes.
    func sign(_ payload: JSON, algorithm: String = "ES256", x5c: JSON? = nil) throws -> String {
        try sign(payload.bytes, header: ["alg": .string(algorithm), "x5c": x5c ?? honestX5C])
    }

    func sign(_ payload: [UInt8], header: JSON) throws -> String {
        let input = Base64.encode(url: header.bytes) + [UInt8(ascii: ".")] + Base64.encode(url: payload)
        let signature = Array(try key.signature(for: input).rawRepresentation)
        return String(decoding: input + [UInt8(ascii: ".")] + Base64.encode(url: signature), as: UTF8.self)
    }

    var honestX5C: JSON {
        .array([leaf, intermediate, root].map { .string(Data($0).base64EncodedString()) })
    }

    private static func issue(
        _ subject: DistinguishedName,
        _ publicKey: Certificate.PublicKey,
        _ shape: Shape,
        by issuer: DistinguishedName,
        _ issuerKey: Certificate.PrivateKey
    ) throws -> [UInt8] {
        var extensions = Certificate.Extensions()
        let constraints: BasicConstraints =
            shape.isAuthority ? .isCertificateAuthority(maxPathLength: shape.maxPathLength) : .notCertificateAuthority
        try extensions.append(Certificate.Extension(constraints, critical: true))
        let usage = KeyUsage(digitalSignature: !shape.mayCertify, keyCertSign: shape.mayCertify)
        try extensions.append(Certificate.Extension(usage, critical: true))
        if let marker = shape.marker {
            try extensions.append(Certificate.Extension(oid: marker, critical: false, value: [0x05, 0x00]))
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: shape.validity.lowerBound,
            notValidAfter: shape.validity.upperBound,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA384,
            extensions: extensions,
            issuerPrivateKey: issuerKey
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
