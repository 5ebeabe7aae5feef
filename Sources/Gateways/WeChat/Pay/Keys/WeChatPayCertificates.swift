import Foundation

/// WeChat Pay's answer to the question for its platform certificates (`GET /v3/certificates`).
///
/// The first time nothing is known to verify it with: its certificates are opened with the APIv3 key, and one of them has signed it.
struct WeChatPayCertificates {
    let all: [WeChatPayCertificate]

    /// - Throws: `.misconfigured` for an APIv3 key that opens nothing, and for a merchant without certificates; `.unreachable` where
    ///   no answer came, or none of WeChat Pay's.
    init(_ response: StoreResponse, to merchant: WeChatPayConfiguration, at now: Date) throws(GatewayError) {
        guard response.status == 200 else { throw Self.failure(response, at: now) }
        let body = Array(response.body)
        let fields = try JSONFields(try JSON(parsingUnique: body), of: "answer")
        all = try fields.list("data", of: "certificate") { fields throws(GatewayError) in
            guard let sealed = fields.value("encrypt_certificate") else {
                throw GatewayError(.missing, "The member encrypt_certificate is missing.")
            }
            let pem = try merchant.cipher.open(try WeChatPayCipher.Sealed(sealed))
            return try WeChatPayCertificate(pem: String(decoding: pem, as: UTF8.self))
        }
        let signature = try WeChatPaySignature(response.headers, body, at: now)
        if let publicKey = merchant.publicKey, publicKey.id == signature.serial {
            try signature.verify(by: publicKey.key)
        } else {
            guard let signer = (all + merchant.certificates).first(where: { $0.serial == signature.serial }) else {
                throw WeChatPaySignature.invalid("The certificates are signed with a key that is not among them.")
            }
            try signature.verify(by: signer.key)
        }
    }

    private static func failure(_ response: StoreResponse, at now: Date) -> GatewayError {
        let error = WeChatPayError(response, to: .certificates, isSigned: false, at: now)
        guard error.code == .resourceUnknown else { return StoreFailure(error).reason }
        return GatewayError(
            .misconfigured,
            "WeChat Pay has no platform certificates for this merchant: enter its public key and the key's id.",
            field: WeChatSetting.payPublicKey,
            underlying: error
        )
    }
}
