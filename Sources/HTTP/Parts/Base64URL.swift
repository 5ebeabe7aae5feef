import Foundation

/// Base64 of RFC 4648, section 5, without padding; the one text that `text(of:)` writes is the one that is read.
package enum Base64URL {
    package static func text(of bytes: [UInt8]) -> String {
        let standard = Data(bytes).base64EncodedData().prefix { $0 != UInt8(ascii: "=") }
        let text = standard.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case _: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil for other characters, an impossible length, or bits that should be zero and are not.
    package static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let bytes = Data(base64Encoded: standard).map(Array.init), self.text(of: bytes) == text else {
            return nil
        }
        return bytes
    }
}
