import Billing
import Crypto
package import Foundation

/// Tells Apple's app receipts from everybody else's, without asking Apple (stores/apple.md, 3).
///
/// Format, algorithm, chain, signature, date, app, environment; the first rung that fails is the error. The chain is judged
/// at the receipt's own date of creation: the keys that sign receipts are replaced every year or two.
package struct AppleReceiptVerifier: Sendable {
    package init() {}

    /// - Parameter receipt: base64, as the app sends it.
    /// - Throws: also `.wrongEnvironment` for a receipt that Xcode made, whoever signed it.
    package func verify(
        _ receipt: String,
        for app: AppleConfiguration,
        at now: Date
    ) throws(GatewayError) -> AppleReceipt {
        let message = try SignedMessage(try AppleReceiptEnvelope.bytes(of: receipt))
        let receipt = try AppleReceipt(payload: try message.content)
        try message.verify(
            anchors: anchors(for: app, in: message),
            at: receipt.createdAt,
            markers: (leaf: "1.2.840.113635.100.6.11.1", intermediate: "1.2.840.113635.100.6.2.1")
        )
        guard receipt.createdAt <= now.addingTimeInterval(Self.clockTolerance) else {
            throw GatewayError(.signedInFuture, "The receipt was created at a date in the future.")
        }
        try require(app, of: receipt)
        return receipt
    }

    private func anchors(for app: AppleConfiguration, in message: SignedMessage) -> [AppleConfiguration.DER] {
        guard !app.mode.isSimulator else { return app.anchorDERs }
        return app.anchorDERs + message.certificates.filter { SHA256.hash(data: $0) == Self.appleRoot }
    }

    private func require(_ app: AppleConfiguration, of receipt: AppleReceipt) throws(GatewayError) {
        guard receipt.bundleID == app.bundleID else {
            throw GatewayError(.wrongApp, "The receipt is of another app.", field: "bundleId")
        }
        switch receipt.environment {
        case .production:
            // A receipt from before the app was numbered says 0.
            if let expected = app.appAppleID, let stated = receipt.appAppleID, stated != 0, stated != expected {
                throw GatewayError(.wrongApp, "The receipt is of another app.", field: "appAppleId")
            }
        case .sandbox:
            guard app.acceptsSandbox else {
                throw GatewayError(.wrongEnvironment, "The receipt is of the sandbox.", field: "environment")
            }
        }
    }

    /// The time, in seconds, by which Apple's clock may be ahead of ours.
    private static let clockTolerance: TimeInterval = 300

    /// SHA-256 of the DER of "Apple Root CA", whose key is RSA (https://www.apple.com/certificateauthority/).
    private static let appleRoot: [UInt8] = [
        0xB0, 0xB1, 0x73, 0x0E, 0xCB, 0xC7, 0xFF, 0x45, 0x05, 0x14, 0x2C, 0x49, 0xF1, 0x29, 0x5E, 0x6E,
        0xDA, 0x6B, 0xCA, 0xED, 0x7E, 0x2C, 0x68, 0xC5, 0xBE, 0x91, 0xB5, 0xA1, 0x10, 0x01, 0xF0, 0x24,
    ]
}
