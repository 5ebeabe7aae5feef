import CryptoExtras
import Foundation

/// The keys that an app verifies Alipay's signatures with: one key, or certificates, of which a signature names one.
struct AlipaySigners: Sendable {
    private let signers: [Signer]

    private struct Signer: Sendable {
        let key: _RSA.Signing.PublicKey
        /// nil in key mode.
        let certificate: AlipayCertificate?
    }

    init(key: _RSA.Signing.PublicKey) {
        signers = [Signer(key: key, certificate: nil)]
    }

    /// - Parameter certificates: Alipay's own, the one before a change beside the one after it.
    init(_ certificates: [AlipayCertificate]) {
        signers = certificates.map { Signer(key: $0.key, certificate: $0) }
    }

    /// When the last of them ends; nil in key mode.
    var end: Date? { signers.compactMap(\.certificate?.validity.upperBound).max() }

    func contains(_ key: _RSA.Signing.PublicKey) -> Bool {
        signers.contains { $0.key.derRepresentation == key.derRepresentation }
    }

    /// - Parameters:
    ///   - signature: base64.
    ///   - serial: the certificate that the message names (`alipay_cert_sn`), which is not signed itself; nil tries all.
    ///   - now: a certificate that has ended, or not begun, signs nothing.
    /// - Throws: `.invalidSignature`.
    func requireSigned(
        _ bytes: [UInt8],
        as signature: String?,
        serial: String? = nil,
        at now: Date
    ) throws(GatewayError) {
        let named = signers.filter { signer in
            guard let serial, let certificate = signer.certificate else { return true }
            return certificate.serial == serial
        }
        guard !named.isEmpty else {
            throw GatewayError(
                .invalidSignature,
                "Alipay signs with a certificate that is not among ours: its new one has to be downloaded from the console.",
                field: "alipay_cert_sn"
            )
        }
        let raw = signature.flatMap { Base64.decode(standard: Array($0.utf8)) }
        let isSigned = named.contains { signer in
            guard let raw, signer.certificate?.validity.contains(now) ?? true else { return false }
            return signer.key.signed(bytes, as: raw)
        }
        guard isSigned else {
            throw GatewayError(
                .invalidSignature,
                "It is not signed with the key that is kept as Alipay's.",
                field: "sign"
            )
        }
    }
}
