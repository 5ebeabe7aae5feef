/// The bytes of one template file and the way from an offset to its line.
struct TemplateSource {
    /// The file below `Templates`, such as `orders/_row.html`.
    let name: String
    /// The file as diagnostics print it.
    let path: String
    let bytes: [UInt8]
    /// True if another folder has a template with the same file name, as with `index.html`.
    var sharesFileName = false

    init(name: String, path: String, bytes: [UInt8]) {
        self.name = name
        self.path = path
        self.bytes = bytes
    }

    /// The folder below `Templates`, empty at the top.
    var folder: String {
        guard let slash = name.lastIndex(of: "/") else { return "" }
        return String(name[..<slash])
    }

    /// The name its header must give: `row` for `orders/_row.html`.
    var baseName: String {
        let stem = fileName.hasSuffix(".html") ? fileName.dropLast(5) : fileName
        return String(stem.hasPrefix("_") ? stem.dropFirst() : stem)
    }

    var fileName: Substring {
        name.split(separator: "/").last ?? ""
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Line and column, both from 1; columns count bytes as the Swift compiler does.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line, offset - lineStart + 1)
    }

    /// The file name to give the Swift compiler for errors in the code made from `offset`.
    ///
    /// It warns when two paths given to `#sourceLocation` end in the same file name, since both make the same
    /// `#fileID`. So files of the same name are distinguished by words after it, put such that the line still begins as
    /// an error does.
    func virtualPath(at offset: Int) -> String {
        guard sharesFileName else { return path }
        let (line, column) = position(of: offset)
        return "\(path):\(line):\(column): error: in \(name.split(separator: "/").joined(separator: "."))"
    }

    func error(at offset: Int, _ message: String) -> TemplateError {
        let (line, column) = position(of: offset)
        return TemplateError(path: path, line: line, column: column, message: message)
    }
}
