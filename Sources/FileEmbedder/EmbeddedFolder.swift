/// A folder whose files become one constant.
struct EmbeddedFolder {
    /// The constant's name.
    let name: String
    let files: [(name: String, bytes: [UInt8])]

    /// The constant, as a member of `EmbeddedFiles`.
    var swift: String {
        let entries = files.map { file in
            """
                    EmbeddedFile(
                        name: \(Self.literal(file.name.utf8)),
                        mediaType: "\(MediaType.of(file.name))",
                        sha256: "\(SHA256.hexadecimal(of: file.bytes))",
                        content: \(Self.literal(file.bytes))
                    ),

            """
        }
        return "    static let `\(name)`: [EmbeddedFile] = [\n\(entries.joined())    ]\n"
    }

    /// One character for each byte: a string compiles hundreds of times faster than an array of numbers, and needs no
    /// second form for images.
    private static func literal(_ bytes: some Sequence<UInt8>) -> String {
        var literal = "\""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"): literal += "\\\\"
            case UInt8(ascii: "\""): literal += "\\\""
            case UInt8(ascii: "\n"): literal += "\\n"
            case 0x20...0x7E: literal.unicodeScalars.append(Unicode.Scalar(byte))
            default: literal += "\\u{\(String(byte, radix: 16))}"
            }
        }
        return literal + "\""
    }
}
