import Billing
import Crypto
import Foundation

/// Opens what WeChat Pay has sealed with the merchant's APIv3 key: AES-256-GCM (payments.md, 0).
struct WeChatPayCipher: Sendable {
    private let key: SymmetricKey

    init(apiV3Key: Secret) {
        key = SymmetricKey(data: Data(apiV3Key.revealed.utf8))
    }

    /// - Throws: `.malformed` for what was never sealed so; `.misconfigured` for what the key does not open: it is another merchant's or
    ///   an earlier one, where WeChat Pay signed the message around it.
    func open(_ sealed: Sealed) throws(GatewayError) -> [UInt8] {
        guard let bytes = Base64.decode(standard: sealed.ciphertext.utf8), bytes.count > Self.tagLength else {
            throw GatewayError(.malformed, "The ciphertext is cut off, or no base64.", field: "ciphertext")
        }
        guard let nonce = try? AES.GCM.Nonce(data: Data(sealed.nonce.utf8)), sealed.nonce.utf8.count == 12 else {
            throw GatewayError(.malformed, "The nonce of the ciphertext has not 12 bytes.", field: "nonce")
        }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: nonce,
                ciphertext: bytes.dropLast(Self.tagLength),
                tag: bytes.suffix(Self.tagLength)
            )
            return Array(try AES.GCM.open(box, using: key, authenticating: Data(sealed.associatedData.utf8)))
        } catch {
            throw GatewayError(
                .misconfigured,
                "What WeChat Pay has encrypted cannot be opened: the APIv3 key is not the merchant's, or the text was changed.",
                field: WeChatSetting.apiV3Key
            )
        }
    }

    /// A ciphertext with what it needs to be opened.
    struct Sealed: Sendable {
        let ciphertext: String
        let nonce: String
        let associatedData: String

        /// - Parameter json: `resource` of a notification, or `encrypt_certificate`.
        /// - Throws: `.malformed`, `.missing`, `.unsupportedAlgorithm`.
        init(_ json: JSON) throws(GatewayError) {
            let fields = try JSONFields(json, of: "resource")
            guard try fields.required("algorithm") == "AEAD_AES_256_GCM" else {
                throw GatewayError(.unsupportedAlgorithm, "It is encrypted otherwise than with AEAD_AES_256_GCM.")
            }
            ciphertext = try fields.required("ciphertext")
            nonce = try fields.required("nonce")
            associatedData = try fields.string("associated_data") ?? ""
        }
    }

    private static let tagLength = 16
}
