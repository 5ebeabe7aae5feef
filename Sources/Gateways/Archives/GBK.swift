import Foundation

/// GBK, in which Chinese files come; read as GB 18030, which it is a part of.
package enum GBK {
    /// The text; a letter that is none becomes U+FFFD, and half a letter at the end is left out.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: converted(bytes, from: "GB18030", to: "UTF-8"), as: UTF8.self)
    }

    /// Letters that GBK lacks are written as GB 18030 has them.
    package static func bytes(_ text: String) -> [UInt8] {
        converted(Array(text.utf8), from: "UTF-8", to: "GB18030")
    }

    #if os(Linux)
    private static func converted(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8] {
        let failed = iconv_t(bitPattern: -1)
        guard let converter = iconv_open(target, source), converter != failed else { return [] }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output: [UInt8] = []
        var chunk = [CChar](repeating: 0, count: 65_536)
        input.withUnsafeMutableBufferPointer { input in
            chunk.withUnsafeMutableBufferPointer { chunk in
                var (next, left) = (input.baseAddress, input.count)
                while left > 0 {
                    var (free, room) = (chunk.baseAddress, chunk.count)
                    let result = iconv(converter, &next, &left, &free, &room)
                    let code = errno
                    output += chunk.prefix(chunk.count - room).map { UInt8(bitPattern: $0) }
                    guard UInt(truncatingIfNeeded: result) == .max, code != E2BIG else { continue }
                    // Half a letter at the end.
                    guard code == EILSEQ, left > 0 else { return }
                    output += [0xEF, 0xBF, 0xBD]
                    next = next?.advanced(by: 1)
                    left -= 1
                }
            }
        }
        return output
    }
    #else
    private static let encoding = String.Encoding(rawValue: 0x8000_0632)

    private static func converted(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8] {
        if target == "UTF-8" {
            return Array((String(data: Data(bytes), encoding: encoding) ?? "").utf8)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.data(using: encoding, allowLossyConversion: true) ?? Data())
    }
    #endif
}
