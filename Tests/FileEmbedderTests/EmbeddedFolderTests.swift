import Testing

@testable import FileEmbedder

@Suite("Embedded folders")
struct EmbeddedFolderTests {
    @Test("every byte becomes one character of a literal")
    func literal() {
        let folder = EmbeddedFolder(
            name: "assets",
            files: [("a\"b.css", Array("\\\"\n".utf8) + [0, 0x7F, 0xFF, 0x41])]
        )
        #expect(folder.swift.contains(#"name: "a\"b.css","#))
        #expect(folder.swift.contains(#"content: "\\\"\n\u{0}\u{7f}\u{ff}A""#))
        #expect(folder.swift.contains(#"mediaType: "text/css; charset=utf-8","#))
    }

    @Test("the constant may have the name of a keyword, and the folder may be empty")
    func emptyFolder() {
        #expect(
            EmbeddedFolder(name: "public", files: []).swift == "    static let `public`: [EmbeddedFile] = [\n    ]\n"
        )
    }

    @Test(
        "media types follow the ending, in either case",
        arguments: [
            ("a.js", "text/javascript; charset=utf-8"), ("images/LOGO.SVG", "image/svg+xml"), ("x.y.png", "image/png"),
            ("LICENSE", "application/octet-stream"), ("a.unknown", "application/octet-stream"),
        ]
    )
    func mediaTypes(name: String, type: String) {
        #expect(MediaType.of(name) == type)
    }
}
