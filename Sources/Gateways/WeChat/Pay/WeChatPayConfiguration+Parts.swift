import Billing
import CryptoExtras
import Foundation

extension WeChatPayConfiguration {
    /// The settings and secrets, read; what is empty is missing.
    struct Parts {
        let merchantID: String
        let merchantSerial: String
        let key: _RSA.Signing.PrivateKey
        let apiV3Key: Secret
        let publicKey: PublicKey?
        let certificates: [WeChatPayCertificate]

        /// - Throws: `.misconfigured`, with the setting's name.
        init(settings: [String: String], secrets: [String: Secret]) throws(GatewayError) {
            func setting(_ name: String) -> String? { settings[name].flatMap { $0.isEmpty ? nil : $0 } }
            func secret(_ name: String) -> String? { secrets[name].flatMap { $0.revealed.isEmpty ? nil : $0.revealed } }
            merchantID = setting(WeChatSetting.merchantID) ?? ""
            guard merchantID.wholeMatch(of: /[0-9]{8,32}/) != nil else {
                throw Self.wrong("The merchant's number is digits alone, such as 1900000109.", WeChatSetting.merchantID)
            }
            merchantSerial = (setting(WeChatSetting.merchantSerial) ?? "").uppercased()
            guard merchantSerial.wholeMatch(of: /[0-9A-F]{8,64}/) != nil else {
                throw Self.wrong(
                    "The serial of the merchant's certificate is forty digits and letters A to F.",
                    WeChatSetting.merchantSerial
                )
            }
            key = try WeChatPayKeyText.privateKey(secret(WeChatSetting.merchantKey) ?? "")
            let apiV3Key = secret(WeChatSetting.apiV3Key) ?? ""
            guard apiV3Key.wholeMatch(of: /[0-9a-zA-Z]{32}/) != nil else {
                throw Self.wrong(
                    "The APIv3 key is thirty-two letters and digits; this one has \(apiV3Key.utf8.count) bytes.",
                    WeChatSetting.apiV3Key
                )
            }
            self.apiV3Key = Secret(apiV3Key)
            publicKey = try Self.publicKey(
                setting(WeChatSetting.payPublicKeyID),
                secret(WeChatSetting.payPublicKey),
                besides: key
            )
            certificates = try Self.certificates(secret(WeChatSetting.platformCertificates), besides: key)
        }

        private static func publicKey(
            _ id: String?,
            _ text: String?,
            besides own: _RSA.Signing.PrivateKey
        ) throws(GatewayError) -> PublicKey? {
            guard id != nil || text != nil else { return nil }
            guard let id, id.wholeMatch(of: /PUB_KEY_ID_[0-9A-Za-z_]{1,64}/) != nil else {
                throw wrong(
                    "The id of WeChat Pay's public key begins with PUB_KEY_ID_, all of which is entered.",
                    WeChatSetting.payPublicKeyID
                )
            }
            guard let text else {
                throw wrong("The id names a public key; the key itself is missing.", WeChatSetting.payPublicKey)
            }
            let key = try WeChatPayKeyText.publicKey(text)
            guard key.derRepresentation != own.publicKey.derRepresentation else {
                throw wrong(
                    "This is the merchant's own public key. WeChat Pay's is another; the console gives it as pub_key.pem.",
                    WeChatSetting.payPublicKey
                )
            }
            return PublicKey(id: WeChatPaySerial(id), key: key)
        }

        private static func certificates(
            _ text: String?,
            besides own: _RSA.Signing.PrivateKey
        ) throws(GatewayError) -> [WeChatPayCertificate] {
            guard let text else { return [] }
            let field = WeChatSetting.platformCertificates
            let certificates: [WeChatPayCertificate]
            do {
                certificates = try WeChatPayCertificate.all(in: text)
            } catch {
                throw wrong(error.message, field)
            }
            let ownKey = own.publicKey.derRepresentation
            guard certificates.allSatisfy({ $0.key.derRepresentation != ownKey }) else {
                throw wrong(
                    "This is the merchant's own certificate; WeChat Pay's platform certificates are others.",
                    field
                )
            }
            return certificates
        }

        private static func wrong(_ message: String, _ field: String) -> GatewayError {
            GatewayError(.misconfigured, message, field: field)
        }
    }
}
