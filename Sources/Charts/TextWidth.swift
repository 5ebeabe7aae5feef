/// Estimates the width of texts. No font is at hand, so widths are those of a wide one at the largest size that charts write in,
/// 17 units.
package enum TextWidth {
    package static func of(_ text: String) -> Coordinate {
        text.unicodeScalars.reduce(.zero) { $0 + width(of: $1) }
    }

    /// The pieces joined by " · " into lines that are not wider than `width`; a piece is never broken.
    package static func lines(of pieces: [String], within width: Coordinate) -> [String] {
        var lines: [String] = []
        for piece in pieces {
            guard let last = lines.last else {
                lines.append(piece)
                continue
            }
            let joined = "\(last) · \(piece)"
            if of(joined) > width { lines.append(piece) } else { lines[lines.count - 1] = joined }
        }
        return lines
    }

    private static func width(of scalar: Unicode.Scalar) -> Coordinate {
        switch scalar.value {
        // From Hangul on, scripts are written in squares.
        case 0x1100...: 17
        case 0x20, 0x2C, 0x2E, 0x3A, 0xB7: Coordinate(tenths: 50)
        case 0x41...0x5A: Coordinate(tenths: 115)
        case _: Coordinate(tenths: 98)
        }
    }
}
