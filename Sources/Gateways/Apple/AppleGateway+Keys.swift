package import Billing
import Foundation

extension AppleGateway {
    package var keys: [StoreKeyShape] {
        [
            StoreKeyShape(
                .api,
                settings: [AppleSetting.issuerID, AppleSetting.keyID],
                secrets: [AppleSetting.privateKey]
            ),
            StoreKeyShape(.sharedSecret, settings: [], secrets: [AppleSetting.sharedSecret]),
            StoreKeyShape(
                .signIn,
                settings: [AppleSetting.clientIDs, AppleSetting.teamID, AppleSetting.signInKeyID],
                secrets: [AppleSetting.signInPrivateKey]
            ),
        ]
    }

    package func check(_ key: StoreKey) throws(GatewayError) {
        for shape in keys where shape.kind == key.kind {
            for name in shape.settings { try check(key.settings[name] ?? "", of: name) }
        }
    }

    /// As App Store Connect writes it; what is not there yet is for the account's own check.
    private func check(_ text: String, of name: String) throws(GatewayError) {
        switch name {
        case AppleSetting.issuerID:
            guard UUID(uuidString: text) != nil else {
                throw GatewayError(
                    .misconfigured,
                    "The issuer ID is a UUID, such as 57246542-96fe-1a63-e053-0824d011072a.",
                    field: name
                )
            }
        case AppleSetting.keyID, AppleSetting.signInKeyID, AppleSetting.teamID:
            guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isLetterOrDigit) else {
                throw GatewayError(
                    .misconfigured,
                    "This is ten letters and digits, such as 2X9R4HXF34.",
                    field: name
                )
            }
        default:
            guard text.utf8.count <= 10_000 else {
                throw GatewayError(.misconfigured, "This is longer than 10,000 characters.", field: name)
            }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
