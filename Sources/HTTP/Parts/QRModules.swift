import CQREncode

/// A QR code as the grid of its modules (libqrencode), without the light zone that belongs around it.
package struct QRModules: Sendable {
    /// The number of modules of a side.
    package let side: Int
    private let isDarkAt: [Bool]

    /// The light modules around a code (ISO/IEC 18004).
    package static let quietZone = 4

    /// Makes nil for a text that fits into no code.
    package init?(of text: String) {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(clamping: code.pointee.width)
        guard width > 0, let modules = code.pointee.data else { return nil }
        side = width
        // The lowest bit of a byte says whether the module is dark.
        isDarkAt = UnsafeBufferPointer(start: modules, count: width * width).map { $0 & 1 == 1 }
    }

    /// False also for what is outside of it.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        guard (0..<side).contains(x), (0..<side).contains(y) else { return false }
        return isDarkAt[y * side + x]  // safe: asked above
    }
}
