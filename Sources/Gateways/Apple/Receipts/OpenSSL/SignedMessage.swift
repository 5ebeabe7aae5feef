import Billing
import COpenSSL
import Foundation

/// A CMS SignedData message (PKCS#7) as OpenSSL reads it, and not yet believed: the one place that calls OpenSSL.
///
/// It is opened, asked and let go by one caller; OpenSSL's objects do not leave this file.
final class SignedMessage {
    private let message: OpaquePointer
    private let signer: OpaquePointer

    /// - Throws: `.malformed` for what is not one message with exactly one signature over plain data within it.
    init(_ bytes: [UInt8]) throws(GatewayError) {
        message = try Self.read(bytes)
        guard OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed,
            OBJ_obj2nid(CMS_get0_eContentType(message)) == NID_pkcs7_data,
            let signers = CMS_get0_SignerInfos(message), perennial_signer_count(signers) == 1,
            let signer = perennial_signer(signers, 0)
        else {
            CMS_ContentInfo_free(message)
            throw GatewayError(.malformed, "The receipt is not plain data with one signature.")
        }
        self.signer = signer
    }

    deinit {
        CMS_ContentInfo_free(message)
    }

    /// The signed content.
    ///
    /// - Throws: `.malformed` for a detached signature.
    var content: [UInt8] {
        get throws(GatewayError) {
            guard let octets = CMS_get0_content(message)?.pointee, let start = ASN1_STRING_get0_data(octets) else {
                throw GatewayError(.malformed, "The receipt has no content.")
            }
            return Array(UnsafeBufferPointer(start: start, count: max(0, Int(ASN1_STRING_length(octets)))))
        }
    }

    /// The certificates that came with the message, in DER.
    var certificates: [[UInt8]] {
        withCertificates { Self.all($0).map(Self.der) }
    }

    /// Follows the signer's certificate to an anchor, then checks the signature with its key.
    ///
    /// - Parameters:
    ///   - anchors: DER; only those with an RSA key count.
    ///   - date: the date on which every certificate of the chain must be valid.
    ///   - markers: the OIDs of an extension that leaf and intermediate must have.
    /// - Throws: `.unsupportedAlgorithm`, `.invalidChain` or `.invalidSignature`.
    func verify(
        anchors: [[UInt8]],
        at date: Date,
        markers: (leaf: String, intermediate: String)
    ) throws(GatewayError) {
        defer { ERR_clear_error() }
        try requireAlgorithms()
        try withCertificates { certificates throws(GatewayError) in
            guard perennial_certificate_count(certificates) <= Self.mostCertificates else {
                throw GatewayError(.invalidChain, "The receipt carries too many certificates.")
            }
            try requireChain(of: try signerCertificate(), certificates, to: anchors, at: date, markers: markers)
        }
        guard CMS_verify(message, nil, nil, nil, nil, UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)) == 1 else {
            throw GatewayError(.invalidSignature, "The signature does not fit the receipt.")
        }
    }

    private static func read(_ bytes: [UInt8]) throws(GatewayError) -> OpaquePointer {
        defer { ERR_clear_error() }
        let message: OpaquePointer? = bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var position: UnsafePointer<UInt8>? = start
            guard let message = d2i_CMS_ContentInfo(nil, &position, bytes.count) else { return nil }
            guard position == start + bytes.count else {
                CMS_ContentInfo_free(message)
                return nil
            }
            return message
        }
        guard let message else { throw GatewayError(.malformed, "The receipt is not a PKCS#7 message.") }
        return message
    }

    /// Apple's receipts are RSA over SHA-1 (old ones) or SHA-256, without signed attributes.
    private func requireAlgorithms() throws(GatewayError) {
        var digest: UnsafeMutablePointer<X509_ALGOR>?
        var signature: UnsafeMutablePointer<X509_ALGOR>?
        CMS_SignerInfo_get0_algs(signer, nil, nil, &digest, &signature)
        guard CMS_signed_get_attr_count(signer) < 0,
            [NID_sha1, NID_sha256].contains(Self.identifier(of: digest)),
            [NID_rsaEncryption, NID_sha1WithRSAEncryption, NID_sha256WithRSAEncryption]
                .contains(Self.identifier(of: signature))
        else {
            throw GatewayError(.unsupportedAlgorithm, "The receipt is not signed with RSA over SHA-1 or SHA-256.")
        }
    }

    private static func identifier(of algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> Int32 {
        guard let algorithm else { return NID_undef }
        var object: OpaquePointer?
        X509_ALGOR_get0(&object, nil, nil, algorithm)
        return OBJ_obj2nid(object)
    }

    private func signerCertificate() throws(GatewayError) -> OpaquePointer {
        var certificate: OpaquePointer?
        guard CMS_set1_signers_certs(message, nil, 0) == 1 else {
            throw GatewayError(.invalidChain, "The receipt does not carry its signer's certificate.")
        }
        CMS_SignerInfo_get0_algs(signer, nil, &certificate, nil, nil)
        guard let certificate else {
            throw GatewayError(.invalidChain, "The receipt does not carry its signer's certificate.")
        }
        return certificate
    }

    private func requireChain(
        of leaf: OpaquePointer,
        _ certificates: OpaquePointer?,
        to anchors: [[UInt8]],
        at date: Date,
        markers: (leaf: String, intermediate: String)
    ) throws(GatewayError) {
        guard let context = X509_STORE_CTX_new(), let trusted = perennial_new_certificates() else {
            throw GatewayError(.invalidChain, "The certificates could not be checked.")
        }
        defer {
            X509_STORE_CTX_free(context)
            perennial_free_certificates(trusted)
        }
        for anchor in anchors {
            guard let certificate = Self.certificate(anchor), Self.hasRSAKey(certificate) else { continue }
            if perennial_add_certificate(trusted, certificate) <= 0 { X509_free(certificate) }
        }
        guard perennial_certificate_count(trusted) > 0 else {
            throw GatewayError(
                .invalidChain,
                "The receipt does not end at Apple's root for receipts, and no other RSA anchor is configured."
            )
        }
        guard X509_STORE_CTX_init(context, nil, leaf, certificates) == 1,
            let parameters = X509_STORE_CTX_get0_param(context)
        else { throw GatewayError(.invalidChain, "The certificates could not be checked.") }
        X509_STORE_CTX_set0_trusted_stack(context, trusted)
        X509_VERIFY_PARAM_set_time(parameters, time_t(Int64(bounding: date.timeIntervalSince1970)))
        guard X509_verify_cert(context) == 1, let chain = X509_STORE_CTX_get0_chain(context),
            perennial_certificate_count(chain) == 3, let signer = perennial_certificate(chain, 0),
            let issuer = perennial_certificate(chain, 1)
        else { throw GatewayError(.invalidChain, "The certificates do not lead to a trusted anchor.") }
        guard Self.hasRSAKey(signer), Self.has(markers.leaf, in: signer) else {
            throw GatewayError(.invalidChain, "The signer may not sign receipts.")
        }
        guard X509_check_ca(issuer) == 1, Self.has(markers.intermediate, in: issuer) else {
            throw GatewayError(.invalidChain, "The signer's issuer may not issue signers of receipts.")
        }
    }

    private func withCertificates<Value, Failure>(
        _ body: (OpaquePointer?) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let certificates = CMS_get1_certs(message)
        defer { perennial_free_certificates(certificates) }
        return try body(certificates)
    }

    private static func all(_ certificates: OpaquePointer?) -> [OpaquePointer] {
        (0..<max(0, perennial_certificate_count(certificates))).compactMap { perennial_certificate(certificates, $0) }
    }

    private static func der(_ certificate: OpaquePointer) -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509(certificate, &start)
        guard let start, length > 0 else { return [] }
        defer { CRYPTO_free(start, #fileID, #line) }
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))  // safe: an Int32 above zero
    }

    private static func certificate(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { der in
            var position = der.baseAddress
            return d2i_X509(nil, &position, der.count)
        }
    }

    private static func hasRSAKey(_ certificate: OpaquePointer) -> Bool {
        guard let key = X509_get0_pubkey(certificate) else { return false }
        return EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA
    }

    private static func has(_ marker: String, in certificate: OpaquePointer) -> Bool {
        guard let identifier = OBJ_txt2obj(marker, 1) else { return false }
        defer { ASN1_OBJECT_free(identifier) }
        return X509_get_ext_by_OBJ(certificate, identifier, -1) >= 0
    }

    /// Apple sends three.
    private static let mostCertificates = 10
}
