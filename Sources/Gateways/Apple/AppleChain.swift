import Crypto
import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// A chain that was followed to an anchor: the key it vouches for, and between which dates.
struct AppleChain: Sendable {
    let key: P256.Signing.PublicKey
    let validity: ClosedRange<Date>

    /// Follows leaf -> intermediate -> anchor as Apple's verifiers do (stores/apple.md, 3).
    ///
    /// - Parameter date: the date on which every certificate of the chain must be valid: that of the signature.
    static func verify(
        leaf leafBytes: [UInt8],
        intermediate intermediateBytes: [UInt8],
        anchors: [Certificate],
        at date: Date
    ) async throws(GatewayError) -> AppleChain {
        guard !anchors.isEmpty else {
            throw GatewayError(
                .invalidChain,
                "The chain does not end at Apple's root, and no other anchor is configured."
            )
        }
        // Dates that X.509 cannot write would trap in the library; this one is the unverified sender's choice.
        guard datesOfCertificates.contains(date) else {
            throw GatewayError(.invalidChain, "The signed date is of a time without certificates.")
        }
        let leaf = try certificate(leafBytes)
        let intermediate = try certificate(intermediateBytes)
        var verifier = Verifier(rootCertificates: CertificateStore(anchors)) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            AppleMarkerPolicy()
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate]))
        guard case .validCertificate(let chain) = result, chain.count == 3 else {
            throw GatewayError(.invalidChain, "The certificates do not lead to a trusted anchor.")
        }
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
            throw GatewayError(.invalidChain, "The signer's key is not of the curve P-256.")
        }
        let start = chain.map(\.notValidBefore).max() ?? date
        let end = chain.map(\.notValidAfter).min() ?? date
        return AppleChain(key: key, validity: min(start, date)...max(end, date))
    }

    /// The years 1950 to 2199.
    private static let datesOfCertificates =
        Date(timeIntervalSince1970: -631_152_000)..<Date(timeIntervalSince1970: 7_258_118_400)

    private static func certificate(_ bytes: [UInt8]) throws(GatewayError) -> Certificate {
        do {
            return try Certificate(derEncoded: bytes)
        } catch {
            throw GatewayError(.invalidChain, "A certificate of the header cannot be read.", underlying: error)
        }
    }
}

/// The requirements on Apple's certificates beyond RFC 5280: the marker OIDs, and that the issuer may issue.
private struct AppleMarkerPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard chain.count == 3 else { return .failsToMeetPolicy(reason: "the chain has not three certificates") }
        guard chain[0].extensions[oid: Self.leafMarker] != nil else {
            return .failsToMeetPolicy(reason: "the leaf has no marker of Mac App Store receipt signing")
        }
        guard chain[1].extensions[oid: Self.intermediateMarker] != nil else {
            return .failsToMeetPolicy(reason: "the intermediate has no marker of Apple's developer relations")
        }
        guard Self.mayCertify(chain[1]) else {
            return .failsToMeetPolicy(reason: "the intermediate may not sign certificates")
        }
        return .meetsPolicy
    }

    /// RFC 5280 4.2.1.3, which `RFC5280Policy` leaves out: a key usage that is there must allow it.
    private static func mayCertify(_ certificate: Certificate) -> Bool {
        do {
            return try certificate.extensions.keyUsage?.keyCertSign ?? true
        } catch {
            return false
        }
    }

    private static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    private static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]
}
