import Crypto
import CryptoExtras
import Foundation

/// Signs what a merchant asks of WeChat Pay, and what its apps hand to WeChat (payments.md, 1B).
struct WeChatPaySigner: Sendable {
    let merchantID: String
    /// Of the merchant's certificate, in capitals.
    let serial: String
    let key: _RSA.Signing.PrivateKey

    /// The value of the header `Authorization`.
    ///
    /// - Parameters:
    ///   - target: path and query, exactly as they are sent.
    ///   - body: exactly as it is sent; empty of a GET.
    /// - Throws: `.misconfigured` where the key does not sign.
    func authorization(
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        timestamp: Int64,
        nonce: String
    ) throws(GatewayError) -> String {
        let signature = try sign(Self.message([method, target, "\(timestamp)", nonce], body))
        return """
            \(Self.scheme) mchid="\(merchantID)",nonce_str="\(nonce)",timestamp="\(timestamp)",serial_no="\(serial)",signature="\(signature)"
            """
    }

    /// Base64 of the signature over lines, each with its end.
    ///
    /// - Throws: `.misconfigured` where the key does not sign.
    func sign(lines: [String]) throws(GatewayError) -> String {
        try sign(Self.message(lines.dropLast(), Array((lines.last ?? "").utf8)))
    }

    private func sign(_ message: [UInt8]) throws(GatewayError) -> String {
        do {
            return try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                .rawRepresentation.base64EncodedString()
        } catch {
            throw GatewayError(
                .misconfigured,
                "The merchant's key does not sign.",
                field: WeChatSetting.merchantKey,
                underlying: error
            )
        }
    }

    /// The lines and the body, each with a line feed after it, the last one, too.
    static func message(_ lines: some Sequence<String>, _ body: [UInt8]) -> [UInt8] {
        Array(lines.map { "\($0)\n" }.joined().utf8) + body + [UInt8(ascii: "\n")]
    }

    static let scheme = "WECHATPAY2-SHA256-RSA2048"
}
