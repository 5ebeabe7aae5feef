import CryptoExtras
import Foundation

/// The signature of an answer or a notification of WeChat Pay: its headers, over the bytes of the body as they came (payments.md, 1B).
struct WeChatPaySignature: Sendable {
    let serial: WeChatPaySerial
    private let message: [UInt8]
    private let signature: [UInt8]

    /// - Parameter headers: by lower-case name.
    /// - Throws: `.invalidSignature` for what is not signed, for a probe, and for what was signed more than 300 seconds ago;
    ///   `.signedInFuture`, `.unsupportedAlgorithm`.
    init(_ headers: [String: String], _ body: [UInt8], at now: Date) throws(GatewayError) {
        guard let timestamp = headers["wechatpay-timestamp"], let nonce = headers["wechatpay-nonce"],
            let signature = headers["wechatpay-signature"], let serial = headers["wechatpay-serial"],
            !serial.isEmpty, serial.utf8.count <= 128
        else { throw Self.invalid("It is not signed by WeChat Pay.") }
        guard [nil, "", WeChatPaySigner.scheme].contains(headers["wechatpay-signature-type"]) else {
            throw GatewayError(.unsupportedAlgorithm, "It is signed with another algorithm than WeChat Pay's.")
        }
        guard !signature.hasPrefix(Self.probe) else {
            throw Self.invalid("It has a signature that WeChat Pay made wrong to see whether signatures are checked.")
        }
        guard (1...12).contains(timestamp.utf8.count), timestamp.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Double(timestamp)
        else { throw Self.invalid("The time of its signature is none.") }
        let age = now.timeIntervalSince1970 - seconds
        guard age >= -Self.window else {
            throw GatewayError(
                .signedInFuture,
                "It is signed more than 300 seconds in the future: one of the two clocks is wrong."
            )
        }
        guard age <= Self.window else { throw Self.invalid("It was signed more than 300 seconds ago.") }
        guard let bytes = Base64.decode(standard: signature.utf8) else {
            throw Self.invalid("Its signature is no base64.")
        }
        self.serial = WeChatPaySerial(serial)
        self.signature = bytes
        message = WeChatPaySigner.message([timestamp, nonce], body)
    }

    /// - Throws: `.invalidSignature`.
    func verify(by key: _RSA.Signing.PublicKey) throws(GatewayError) {
        guard key.signed(message, as: signature) else {
            throw Self.invalid("Its signature does not hold.")
        }
    }

    static func invalid(_ message: String) -> GatewayError {
        GatewayError(.invalidSignature, message, field: "wechatpay-signature")
    }

    /// In seconds, before and after.
    static let window: TimeInterval = 300
    /// The prefix of a probe's signature.
    static let probe = "WECHATPAY/SIGNTEST/"
}
