import CQREncode
import HTML
import HTTP

/// A QR code as a drawing that scales (libqrencode).
enum QRCode {
    /// nil for a text that fits into no code.
    ///
    /// - Parameter label: the code's purpose, for people who cannot see it.
    static func svg(of text: String, label: String) -> TrustedHTML? {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        var path = ""
        for y in 0..<width {
            var x = 0
            while x < width {
                let start = x
                // The lowest bit of a byte says whether the module is dark.
                while x < width, modules[y * width + x] & 1 == 1 { x += 1 }  // safe: width times width
                if x > start { path += "M\(start + quietZone) \(y + quietZone)h\(x - start)v1h-\(x - start)z" }
                x += 1
            }
        }
        let side = width + 2 * quietZone
        return TrustedHTML { html in
            html.append("<svg class=\"qr\" role=\"img\" viewBox=\"0 0 ")
            html.text(side)
            html.append(" ")
            html.text(side)
            html.append("\" aria-label=\"")
            html.attribute(label)
            html.append("\"><rect fill=\"#fff\" width=\"100%\" height=\"100%\"/><path fill=\"#000\" d=\"")
            html.attribute(path)
            html.append("\"/></svg>")
        }
    }

    /// Light modules around it (ISO/IEC 18004).
    private static let quietZone = 4
}
