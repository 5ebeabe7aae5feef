import HTML
import HTTP

/// A QR code as a drawing that scales.
enum QRCode {
    /// nil for a text that fits into no code.
    ///
    /// - Parameter label: the code's purpose, for people who cannot see it.
    static func svg(of text: String, label: String) -> TrustedHTML? {
        guard let code = QRModules(of: text) else { return nil }
        let (width, quietZone) = (code.side, QRModules.quietZone)
        var path = ""
        for y in 0..<width {
            var x = 0
            while x < width {
                let start = x
                while code.isDark(x, y) { x += 1 }
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
}
