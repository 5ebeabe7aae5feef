/// A receipt taken apart and not verified: enough to find its app, and to ask Apple about it.
///
/// Two kinds are in use: an app's receipt (PKCS#7), and the receipt of one transaction that apps for iOS 6 still send (a
/// property list in NeXT's form).
package struct AppleReceiptEnvelope: Sendable {
    package let kind: Kind
    /// The app that it claims to be of; to be used for nothing but the look-up.
    package let unverifiedBundleID: String?
    /// True if it is from a developer's machine: nobody signs those, and Apple does not know them.
    package let isMadeByXcode: Bool
    /// The first transaction in it, only for asking Apple; nil if nothing was bought.
    package let unverifiedTransactionID: String?

    /// - Parameter receipt: base64, as an app sends it; line breaks do not matter.
    /// - Throws: `.malformed` for what is neither of the two kinds.
    package init(_ receipt: String) throws(GatewayError) {
        let bytes = try AppleReceiptEnvelope.bytes(of: receipt)
        guard bytes.first == UInt8(ascii: "{") else {
            let payload = try SignedMessage(bytes).content
            kind = .app
            let claims = try AppleReceipt.claims(in: payload)
            unverifiedBundleID = claims.bundleID
            isMadeByXcode = claims.environment == AppleReceipt.xcode
            unverifiedTransactionID = try Self.firstTransactionID(in: payload)
            return
        }
        guard let outer = String(validating: bytes, as: UTF8.self),
            let info = Self.value(of: "purchase-info", in: outer),
            let decoded = Base64.decode(standard: info.utf8), let inner = String(validating: decoded, as: UTF8.self)
        else { throw GatewayError(.malformed, "The receipt has no purchase that can be read.", field: "receipt") }
        kind = .transaction
        isMadeByXcode = false
        unverifiedBundleID = Self.value(of: "bid", in: inner)
        unverifiedTransactionID = Self.value(of: "transaction-id", in: inner)
    }

    /// The kind of receipt.
    package enum Kind: Hashable, Sendable {
        case app
        case transaction
    }

    /// - Throws: `.malformed` for what is empty, too long, or not base64.
    static func bytes(of receipt: String) throws(GatewayError) -> [UInt8] {
        guard receipt.utf8.count <= maximumLength else {
            throw GatewayError(.malformed, "The receipt is too long.", field: "receipt")
        }
        let lineBreaks: [UInt8] = [0x0A, 0x0D]
        guard let bytes = Base64.decode(standard: receipt.utf8.filter { !lineBreaks.contains($0) }) else {
            throw GatewayError(.malformed, "The receipt is not base64.", field: "receipt")
        }
        return bytes
    }

    /// As Apple's own library does it: the first id or original id that stands there (stores/apple.md, 6.4).
    private static func firstTransactionID(in payload: [UInt8]) throws(GatewayError) -> String? {
        for purchase in try AppleReceiptAttribute.read(ArraySlice(payload)) where purchase.type == 17 {
            for attribute in try AppleReceiptAttribute.read(purchase.value) {
                guard attribute.type == 1703 || attribute.type == 1705 else { continue }
                if let id = try attribute.text() { return id }
            }
        }
        return nil
    }

    /// The text of `"name" = "text";`.
    private static func value(of name: String, in list: String) -> String? {
        let quoted = Array("\"\(name)\"".utf8)
        var rest = Array(list.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest.dropFirst(start - rest.startIndex)
            if rest.starts(with: quoted) {
                let assigned = rest.dropFirst(quoted.count).drop(while: isBlank)
                if assigned.first == UInt8(ascii: "=") {
                    let text = assigned.dropFirst().drop(while: isBlank)
                    guard text.first == UInt8(ascii: "\"") else { return nil }
                    let letters = text.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
                    guard letters.endIndex < text.endIndex, !letters.isEmpty, !letters.contains(0) else { return nil }
                    return String(validating: letters, as: UTF8.self)
                }
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    /// The longest receipts, of apps with thousands of purchases, have a few hundred thousand letters.
    private static let maximumLength = 3 << 20
}
