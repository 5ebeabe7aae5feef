import Crypto
import SwiftASN1
import X509

/// The requirements on one app's messages from Apple: their app, and their permitted signers.
package struct AppleConfiguration: Sendable {
    package let bundleID: String
    /// The number of the app in the App Store. Production messages are refused without it.
    package let appAppleID: Int64?
    package let mode: Mode
    /// True if messages of the Sandbox (TestFlight, App Review) are accepted in addition to production's.
    package let acceptsSandbox: Bool

    /// The configured anchors, parsed.
    let anchors: [Certificate]
    /// The anchors as they are configured; receipts end at those whose key is RSA.
    let anchorDERs: [DER]
    /// Names mode and anchors in the memory of verified chains.
    let trustID: [UInt8]

    /// - Parameter extraAnchors: DER certificates trusted in addition to the built-in pin; only for `.store`.
    /// - Throws: `.misconfigured` when an anchor is no certificate, or a simulator has none.
    package init(
        bundleID: String,
        appAppleID: Int64?,
        mode: Mode = .store,
        extraAnchors: [DER] = [],
        acceptsSandbox: Bool = true
    ) throws(GatewayError) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.mode = mode
        self.acceptsSandbox = acceptsSandbox
        let ders = try Self.anchors(of: mode, extra: extraAnchors)
        anchorDERs = ders
        do {
            anchors = try ders.map { try Certificate(derEncoded: $0) }
        } catch {
            throw GatewayError(
                .misconfigured,
                "A configured anchor is not a DER certificate.",
                field: "anchors",
                underlying: error
            )
        }
        var digest = SHA256()
        for der in ders { digest.update(data: Array(SHA256.hash(data: der))) }
        trustID = [mode.isSimulator ? 1 : 0] + Array(digest.finalize())
    }

    /// True if one of the configured anchors may end a receipt's chain: one whose key is RSA.
    var hasReceiptAnchor: Bool {
        anchors.contains { P256.Signing.PublicKey($0.publicKey) == nil && P384.Signing.PublicKey($0.publicKey) == nil }
    }

    private static func anchors(of mode: Mode, extra: [DER]) throws(GatewayError) -> [DER] {
        switch mode {
        case .store: return extra
        case .simulator(let anchors):
            guard !anchors.isEmpty else {
                throw GatewayError(.misconfigured, "A simulator needs an anchor.", field: "anchors")
            }
            guard extra.isEmpty else {
                throw GatewayError(.misconfigured, "An app is of the store or of a simulator, never of both.")
            }
            return anchors
        }
    }

    /// The bytes of one certificate.
    package typealias DER = [UInt8]

    /// The origin of an app's messages; the two never share an anchor (stores/apple.md, 9).
    package enum Mode: Hashable, Sendable {
        /// Apple itself: the built-in pin and the extra anchors.
        case store
        /// A test store: only these anchors, never the pin.
        case simulator(anchors: [DER])

        var isSimulator: Bool {
            switch self {
            case .store: false
            case .simulator: true
            }
        }
    }
}
