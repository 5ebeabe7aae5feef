import Foundation
import HTTP

/// A QR code as a picture: PNG with one bit a pixel.
enum QRImage {
    /// The picture as a `data:` URL; nil for a text that fits into no code.
    static func dataURL(of text: String) -> String? {
        png(of: text).map { "data:image/png;base64,\(Data($0).base64EncodedString())" }
    }

    static func png(of text: String) -> [UInt8]? {
        guard let code = QRModules(of: text) else { return nil }
        let quietZone = QRModules.quietZone
        return PNG.image(side: (code.side + 2 * quietZone) * scale) { x, y in
            code.isDark(x / scale - quietZone, y / scale - quietZone)
        }
    }

    /// Pixels of a module's side.
    private static let scale = 4
}

/// A square picture in black and white, not compressed (PNG, third edition; RFC 1950 and 1951, stored blocks).
private enum PNG {
    static func image(side: Int, isDark: (_ x: Int, _ y: Int) -> Bool) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<side {
            rows.append(0)
            for start in stride(from: 0, to: side, by: 8) {
                var byte: UInt8 = 0
                for x in start..<start + 8 { byte = byte << 1 | (x < side && !isDark(x, y) ? 1 : 0) }
                rows.append(byte)
            }
        }
        let size = bigEndian(UInt32(clamping: side))
        var image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        image += chunk("IHDR", size + size + [1, 0, 0, 0, 0])
        image += chunk("IDAT", stored(rows))
        image += chunk("IEND", [])
        return image
    }

    private static func chunk(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        let body = Array("\(name)".utf8) + content
        return bigEndian(UInt32(clamping: content.count)) + body + bigEndian(crc(of: body))
    }

    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(bytes.count, start + 65_535)
            let count = UInt16(clamping: end - start)
            stream.append(end == bytes.count ? 1 : 0)
            for part in [count, ~count] {
                stream += [UInt8(truncatingIfNeeded: part), UInt8(truncatingIfNeeded: part >> 8)]
            }
            stream += bytes[start..<end]
            start = end
        } while start < bytes.count
        return stream + bigEndian(adler(of: bytes))
    }

    private static func adler(of bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521  // safe: below 2^17
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            var sum = sum ^ UInt32(byte)  // safe: a byte
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            return sum
        }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
