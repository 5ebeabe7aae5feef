import Postgres
import Testing

@testable import Storage

@Suite("rows as COPY writes them") struct CopiedRowsTests {
    private static let list = ListExport(
        [
            .init("name", .text, "name"), .init("at", .time, "at"), .init("paid", .amount, "paid"),
            .init("currency", .text, "currency"), .init("month", .plain, "month"),
        ],
        from: "FROM anywhere"
    )
    private static let copied = """
        plain,2026-11-21 02:37:05.25+00,-9800,CNY,2026-11
        "with ""quotes"", a comma
        and a line",,,,
        =1+1,1969-12-31 23:59:59+00,5,JPY,-1
        "+a,b",2026-03-29 00:59:59.999999+00,7,CNY,
        "",2026-03-29 01:00:00+00,-123456,KWD,x

        """
    private static let written = [
        "name,at,paid,currency,month", "plain,2026-11-21T10:37:05+08:00,-98.00,CNY,2026-11",
        "\"with \"\"quotes\"\", a comma\nand a line\",,,,", "'=1+1,1970-01-01T07:59:59+08:00,5,JPY,-1",
        "\"'+a,b\",2026-03-29T08:59:59+08:00,0.07,CNY,", ",2026-03-29T09:00:00+08:00,-123.456,KWD,x",
    ]

    @Test("they come out the same wherever they are cut")
    func cut() throws {
        let bytes = Array(Self.copied.utf8)
        for size in 1...bytes.count {
            var rows = CopiedRows(of: Self.list)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try rows.add(Array(bytes[start..<min(start + size, bytes.count)])) { _ in 28_800 }
            }
            try rows.finish()
            #expect(rows.count == 5)
            let text = String(decoding: rows.text.bytes.dropFirst(3), as: UTF8.self)
            #expect(text == Self.written.joined(separator: "\r\n") + "\r\n", "in pieces of \(size)")
        }
    }

    @Test("half a row is no row, and what is none is an error")
    func broken() throws {
        var rows = CopiedRows(of: Self.list)
        try rows.add(Array("plain,,,".utf8)) { _ in 0 }
        #expect(throws: CopiedRows.BrokenRow.self) { try rows.finish() }
        for text in ["a,soon,,,\n", "a,,1,,\n", "a,,1,yuan,\n", "a,,,,,\n", "a,,,\n,\n"] {
            var rows = CopiedRows(of: Self.list)
            if text == "a,,1,,\n" {
                // An amount without a currency is nothing.
                try rows.add(Array(text.utf8)) { _ in 0 }
                #expect(rows.count == 1)
            } else {
                #expect(throws: CopiedRows.BrokenRow.self, "\(text)") { try rows.add(Array(text.utf8)) { _ in 0 } }
            }
        }
    }
}
