import BuildTool
import Foundation

/// The tool behind the plugin `EmbedFiles`.
///
///     FileEmbedder <output.swift> (<constant> <folder>)...
@main
enum FileEmbedder {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()[...]
        guard let output = arguments.popFirst(), arguments.count.isMultiple(of: 2) else {
            BuildTool.fail(["usage: FileEmbedder <output.swift> (<constant> <folder>)..."])
        }
        var folders: [EmbeddedFolder] = []
        while let name = arguments.popFirst(), let path = arguments.popFirst() {
            folders.append(EmbeddedFolder(name: name, files: try files(in: path)))
        }
        let swift = preamble + "\nenum EmbeddedFiles {\n" + folders.map(\.swift).joined(separator: "\n") + "}\n"
        try BuildTool.write(swift, to: output)
    }

    /// All files below the folder but hidden ones, in the order of their names.
    private static func files(in folder: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().compactMap { name in
            let url = URL(filePath: "\(folder)/\(name)")
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            guard !isHidden, try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true else { return nil }
            return (name, Array(try Data(contentsOf: url)))
        }
    }

    private static let preamble = """
        /// A file that was compiled into the program.
        struct EmbeddedFile: Sendable {
            /// The path below its folder, such as `images/logo.svg`.
            let name: String
            let bytes: [UInt8]
            let mediaType: String
            /// The SHA-256 of the bytes in lower-case hexadecimals.
            let sha256: String

            fileprivate init(name: String, mediaType: String, sha256: String, content: String) {
                self.name = Self.text(name)
                self.mediaType = mediaType
                self.sha256 = sha256
                bytes = Self.bytes(content)
            }

            /// The bytes as UTF-8.
            var text: String {
                String(decoding: bytes, as: UTF8.self)
            }

            /// The name with the beginning of the digest in it, `dashboard.0123456789abcdef.css`: as long as it is
            /// asked for by this name, the content cannot have changed.
            var fingerprintedName: String {
                let slash = name.lastIndex(of: "/") ?? name.startIndex
                guard let dot = name[slash...].lastIndex(of: ".") else { return "\\(name).\\(sha256.prefix(16))" }
                return "\\(name[..<dot]).\\(sha256.prefix(16))\\(name[dot...])"
            }

            /// Each character of the literal stands for one byte.
            private static func bytes(_ literal: String) -> [UInt8] {
                literal.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            }

            private static func text(_ literal: String) -> String {
                String(decoding: bytes(literal), as: UTF8.self)
            }
        }

        """
}
