import Crypto
import CryptoExtras
package import Foundation

/// One call of Alipay's OpenAPI, signed with the app's key (payments.md, 1C).
package struct AlipayRequest: Sendable {
    /// The parameters that every call has, with the signature; they stand in the address.
    package let common: [(String, String)]
    /// The call's own; they stand in the body, as codes and tokens belong in no address.
    package let own: [(String, String)]
    private let asker: String

    /// - Throws: `.misconfigured` where the key does not sign.
    package init(
        _ method: String,
        _ own: [(String, String)],
        for app: AlipayConfiguration,
        at now: Date
    ) throws(GatewayError) {
        var common = [
            ("app_id", app.appID), ("charset", "utf-8"), ("format", "JSON"), ("method", method),
            ("sign_type", "RSA2"), ("timestamp", AlipayTime.text(now)), ("version", "1.0"),
        ]
        if let names = app.keys.certificates {
            common += [("app_cert_sn", names.app), ("alipay_root_cert_sn", names.roots)]
        }
        let text = Self.signedText(common + own)
        do {
            let digest = SHA256.hash(data: Data(text.utf8))
            let signature = try app.key.signature(for: digest, padding: .insecurePKCS1v1_5)
            common.append(("sign", signature.rawRepresentation.base64EncodedString()))
        } catch {
            throw GatewayError(
                .misconfigured,
                "The app's private key does not sign.",
                field: AlipaySetting.privateKey,
                underlying: error
            )
        }
        asker = app.appID
        self.common = common
        self.own = own.filter { !$0.1.isEmpty }
    }

    func request(to gateway: String) -> StoreRequest {
        StoreRequest(
            "POST",
            "\(gateway)?\(FormFields.encode(common))",
            headers: [
                "Content-Type": "application/x-www-form-urlencoded;charset=utf-8", "Accept": "application/json",
            ],
            body: Data(FormFields.encode(own).utf8),
            asker: asker
        )
    }

    /// All parameters with the signature: of what a browser or an app carries to Alipay.
    package var signed: [(String, String)] { common + own }

    /// The text to sign: all parameters but `sign` and empty ones, by name, before escaping.
    package static func signedText(_ parameters: [(String, String)]) -> String {
        parameters.filter { $0.0 != "sign" && !$0.1.isEmpty }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

/// Without its own parameters: they carry codes and tokens.
extension AlipayRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "POST \(common.first { $0.0 == "method" }?.1 ?? "")" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
