import Logging
import Server
import Synchronization
import Testing

@Suite("The log") struct LineLogHandlerTests {
    @Test("an entry is one line, whatever is in it")
    func oneLine() throws {
        let lines = Lines()
        var logger = Logger(label: "tests") { LineLogHandler(label: $0) { line in lines.add(line) } }
        logger[metadataKey: "pool"] = "reading"
        logger.warning(
            "cannot connect\r\nto the\u{2028}database",
            metadata: ["reason": "connection failed:\n\tIs the server \u{1b}[31mrunning\u{7}?", "who": "Zoë"]
        )
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line.hasSuffix("\n"))
        #expect(!line.dropLast().contains { $0.isNewline })
        #expect(
            line.contains(
                #"warning tests: pool=reading reason=connection failed:\n\tIs the server \u{1b}[31mrunning\u{7}? who=Zoë"#
            )
        )
        #expect(line.contains(#"cannot connect\r\nto the\u{2028}database"#))
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }
}
