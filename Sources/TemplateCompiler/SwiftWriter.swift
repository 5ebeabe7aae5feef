/// Collects generated Swift: neighbouring pieces of HTML become one literal, and code that can fail to compile is
/// attributed to its place in the template.
struct SwiftWriter {
    private(set) var lines: [String] = []
    private var literal: [UInt8] = []
    private var depth: Int

    init(depth: Int) {
        self.depth = depth
    }

    mutating func html(_ bytes: ArraySlice<UInt8>) {
        literal += bytes
    }

    mutating func line(_ code: String) {
        flush()
        lines.append(String(repeating: "    ", count: depth) + code)
    }

    /// Writes `code` so that an error in it is reported at the template's line, and, where there is room to the left,
    /// an error in what follows `prefix` at the template's column too.
    mutating func line(_ prefix: String, _ code: String, at offset: Int, of source: TemplateSource) {
        flush()
        let (line, column) = source.position(of: offset)
        let path = SwiftLiteral.string(Array(source.virtualPath(at: offset).utf8)[...])
        let margin = String(repeating: " ", count: max(0, column - 1 - prefix.utf8.count))
        lines.append("#sourceLocation(file: \(path), line: \(line))")
        lines.append(margin + prefix + code)
        lines.append("#sourceLocation()")
    }

    mutating func indent() {
        flush()
        depth += 1
    }

    mutating func outdent() {
        flush()
        depth -= 1
    }

    mutating func flush() {
        guard !literal.isEmpty else { return }
        let code = "\(Generated.buffer).append(\(SwiftLiteral.string(literal[...])))"
        literal = []
        line(code)
    }
}

/// Names in generated code; but for the words none of them can be written in a template.
enum Generated {
    static let buffer = "_html"
    static let namespace = "Templates"
    /// The words' name: every page has them, and every partial and layout is given them.
    static let strings = "strings"

    /// The function of a partial or a layout: `orders_row` for `orders/_row.html`.
    static func function(for source: TemplateSource) -> String {
        let path = source.folder.isEmpty ? source.baseName : "\(source.folder)_\(source.baseName)"
        return SwiftLiteral.name(String(path.map { $0.isLetter || $0.isNumber ? $0 : "_" }))
    }

    /// The method in which a page fills a block.
    static func fill(_ block: String) -> String {
        "_fill_\(block)"
    }
}
