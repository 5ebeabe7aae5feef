package import Billing
package import Foundation

/// The content of an app's receipt: its app, its environment and its purchases (stores/apple.md, 3).
///
/// A receipt carries neither prices nor states; its proof holds until Apple is asked.
package struct AppleReceipt: Hashable, Sendable {
    package let environment: StoreEnvironment
    /// Apple's own name for it, such as `ProductionSandbox`.
    package let rawEnvironment: String
    /// The number of the app in the App Store; 0 in the sandbox.
    package let appAppleID: Int64?
    package let bundleID: String
    package let applicationVersion: String?
    package let createdAt: Date
    package let originalPurchasedAt: Date?
    /// The version that was first installed.
    package let originalApplicationVersion: String?
    /// The time at which the receipt itself expires; only for apps bought through volume purchase.
    package let expiresAt: Date?
    package let downloadID: Int64?
    package let versionExternalIdentifier: Int64?
    /// A unique number; with the device's id and the bundle id it makes up `deviceHash`.
    package let opaqueValue: [UInt8]
    /// SHA-1 of the device's id, `opaqueValue` and the bundle id in DER.
    package let deviceHash: [UInt8]
    /// In the order of their dates; Apple's own order means nothing.
    package let purchases: [AppleReceiptPurchase]

    /// - Throws: `.malformed`, or `.missing` without environment, bundle id or creation date.
    init(payload: [UInt8]) throws(GatewayError) {
        var fields = Fields()
        for attribute in try AppleReceiptAttribute.read(ArraySlice(payload)) { try fields.read(attribute) }
        guard let rawEnvironment = fields.rawEnvironment, let bundleID = fields.bundleID,
            let createdAt = fields.createdAt
        else {
            throw GatewayError(.missing, "The receipt has no environment, no bundle id or no creation date.")
        }
        environment = try Self.environment(rawEnvironment)
        self.rawEnvironment = rawEnvironment
        appAppleID = fields.appAppleID
        self.bundleID = bundleID
        applicationVersion = fields.applicationVersion
        self.createdAt = createdAt
        originalPurchasedAt = fields.originalPurchasedAt
        originalApplicationVersion = fields.originalApplicationVersion
        expiresAt = fields.expiresAt
        downloadID = fields.downloadID
        versionExternalIdentifier = fields.versionExternalIdentifier
        opaqueValue = fields.opaqueValue
        deviceHash = fields.deviceHash
        purchases = fields.purchases.inOrder
    }

    /// Bundle id and environment of a payload that is not verified; to be used for nothing but the look-up.
    static func claims(in payload: [UInt8]) throws(GatewayError) -> (bundleID: String?, environment: String?) {
        let attributes = try AppleReceiptAttribute.read(ArraySlice(payload))
        return (try attributes.last { $0.type == 2 }?.text(), try attributes.last { $0.type == 0 }?.text())
    }

    /// A volume purchase (VPP) is of the same environment as any other.
    private static func environment(_ name: String) throws(GatewayError) -> StoreEnvironment {
        switch name {
        case "Production", "ProductionVPP": return .production
        case "ProductionSandbox", "ProductionVPPSandbox", "Sandbox": return .sandbox
        case xcode: throw madeByXcode
        default:
            throw GatewayError(
                .wrongEnvironment,
                "The receipt is of an environment that is not known here.",
                field: "environment"
            )
        }
    }

    /// Xcode's value in place of an environment.
    static let xcode = "Xcode"

    static var madeByXcode: GatewayError {
        GatewayError(
            .wrongEnvironment,
            "The receipt was made by Xcode on a developer's machine; only the App Store's are accepted.",
            field: "environment"
        )
    }

    /// The attributes as they are met; what Apple adds later is passed over.
    private struct Fields {
        var rawEnvironment: String?
        var appAppleID: Int64?
        var bundleID: String?
        var applicationVersion: String?
        var createdAt: Date?
        var originalPurchasedAt: Date?
        var originalApplicationVersion: String?
        var expiresAt: Date?
        var downloadID: Int64?
        var versionExternalIdentifier: Int64?
        var opaqueValue: [UInt8] = []
        var deviceHash: [UInt8] = []
        var purchases: [AppleReceiptPurchase] = []

        mutating func read(_ attribute: AppleReceiptAttribute) throws(GatewayError) {
            switch attribute.type {
            case 0: rawEnvironment = try attribute.text()
            case 1: appAppleID = try attribute.integer()
            case 2: bundleID = try attribute.text()
            case 3: applicationVersion = try attribute.text()
            case 4: opaqueValue = Array(attribute.value)
            case 5: deviceHash = Array(attribute.value)
            case 12: createdAt = try attribute.date()
            case 15: downloadID = try attribute.integer()
            case 16: versionExternalIdentifier = try attribute.integer()
            case 17: purchases.append(try AppleReceiptPurchase(AppleReceiptAttribute.read(attribute.value)))
            case 18: originalPurchasedAt = try attribute.date()
            case 19: originalApplicationVersion = try attribute.text()
            case 21: expiresAt = try attribute.date()
            default: break
            }
        }
    }
}
