/// Names a key of WeChat Pay: a platform certificate's serial, or the id of its public key.
struct WeChatPaySerial: Hashable, Sendable {
    /// As it is compared: an id as it is, a serial in capitals without leading zeros.
    let text: String

    init(_ text: String) {
        self.text = text.hasPrefix(Self.idPrefix) ? text : String(text.uppercased().drop { $0 == "0" })
    }

    /// - Parameter bytes: a certificate's serial number.
    init(_ bytes: some Collection<UInt8>) {
        self.init(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }

    var isPublicKeyID: Bool { text.hasPrefix(Self.idPrefix) }

    static let idPrefix = "PUB_KEY_ID_"
}
