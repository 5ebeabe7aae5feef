/// Base64 of RFC 4648, section 5, without padding; the one text that `text(of:)` writes is the one that is read.
enum Base64URL {
    static func text(of bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, waiting) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            waiting += 8
            while waiting >= 6 {
                waiting -= 6
                text.append(alphabet[bits >> waiting & 63])
            }
            bits &= 1 << waiting - 1
        }
        if waiting > 0 { text.append(alphabet[bits << (6 - waiting) & 63]) }  // safe: 64 letters
        return String(decoding: text, as: UTF8.self)
    }

    /// nil for other characters, an impossible length, or bits that should be zero and are not.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var (bits, waiting) = (0, 0)
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            waiting += 6
            guard waiting >= 8 else { continue }
            waiting -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> waiting))
            bits &= 1 << waiting - 1
        }
        return bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) + 4
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        case _: nil
        }
    }
}
