import Crypto
import Foundation

/// 256 random bits that open something: a session, the admin API. Kept by us only as their SHA-256.
package struct SecretToken: Sendable, Hashable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    package init(using random: inout some RandomNumberGenerator) {
        bytes = (0..<Self.byteCount / 8).flatMap { _ in
            withUnsafeBytes(of: random.next() as UInt64) { Array($0) }
        }
    }

    /// From the system's random source, in one call to it.
    package static func random() -> SecretToken {
        SecretToken(bytes: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads `description`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: text), bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The hash that the database keeps instead of the token.
    package var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }
}

extension SecretToken: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits. It is the secret: it belongs in a cookie or on the screen once, never in a log.
    package var description: String { bytes.hexadecimal }
}

extension [UInt8] {
    /// Two lower-case digits a byte.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: count * 2) { buffer in
            for (index, byte) in enumerated() {
                buffer[index * 2] = Self.digit(byte >> 4)
                buffer[index * 2 + 1] = Self.digit(byte & 15)
            }
            return count * 2
        }
    }

    /// Reads lower-case digits; nil when there is anything else, or half a byte.
    package init?(hexadecimal text: some StringProtocol) {
        let read = text.utf8.withContiguousStorageIfAvailable { Self.bytes(ofDigits: $0) }
        guard let bytes = read ?? Array(text.utf8).withUnsafeBufferPointer({ Self.bytes(ofDigits: $0) }) else {
            return nil
        }
        self = bytes
    }

    private static func bytes(ofDigits digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard let high = nibble(digits[position]), let low = nibble(digits[position + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
