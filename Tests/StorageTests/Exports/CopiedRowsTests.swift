import Postgres
import Testing

@testable import Storage

@Suite("rows as COPY writes them") struct CopiedRowsTests {
    private static let list = ListExport(
        [
            .init("name", .text, "name"), .init("at", .time, "at"), .init("paid", .amount, "paid"),
            .init("currency", .text, "currency"), .init("month", .plain, "month"),
        ],
        seesPersonalData: false,
        from: "FROM anywhere"
    )
    private static let copied = CopiedSample(rows: [
        ["plain", .time(1_763_692_625.25), .amount(-9_800), "CNY", "2026-11"],
        ["with \"quotes\", a comma\nand a line", nil, nil, nil, nil],
        ["=1+1", .time(-1), .amount(5), "JPY", "-1"],
        ["+a,b", .time(1_774_745_999.999999), .amount(7), "CNY", nil],
        ["", .time(1_774_746_000), .amount(-123_456), "KWD", "x"],
        ["a", nil, .amount(1), nil, nil],
    ])
    private static let written = [
        "name,at,paid,currency,month", "\"plain\",2025-11-21T10:37:05+08:00,-98.00,\"CNY\",2026-11",
        "\"with \"\"quotes\"\", a comma\nand a line\",,,,", "\"'=1+1\",1970-01-01T07:59:59+08:00,5,\"JPY\",-1",
        "\"'+a,b\",2026-03-29T08:59:59+08:00,0.07,\"CNY\",", "\"\",2026-03-29T09:00:00+08:00,-123.456,\"KWD\",x",
        "\"a\",,,,",
    ]

    @Test("they come out the same wherever they are cut")
    func cut() throws {
        let bytes = Self.copied.bytes
        for size in 1...bytes.count {
            var rows = CopiedRows(of: Self.list)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try rows.add(Array(bytes[start..<min(start + size, bytes.count)])) { _ in 28_800 }
            }
            try rows.finish()
            #expect(rows.count == 6)
            let text = String(decoding: rows.text.bytes.dropFirst(3), as: UTF8.self)
            #expect(text == Self.written.joined(separator: "\r\n") + "\r\n", "in pieces of \(size)")
        }
    }

    @Test("rows that are cut off are no file")
    func cutOff() throws {
        for length in 0..<Self.copied.bytes.count {
            var rows = CopiedRows(of: Self.list)
            try rows.add(Array(Self.copied.bytes[..<length])) { _ in 0 }
            #expect(throws: CopiedRows.BrokenRow.self, "\(length) bytes") { try rows.finish() }
        }
    }

    @Test(
        "what COPY would not write is an error",
        arguments: [
            [["a", "soon", nil, nil, nil]], [["a", nil, "1", "CNY", nil]], [["a", nil, .amount(1), "yuan", nil]],
            [["a", nil, .amount(1), "YUAN", nil]], [["a", nil, nil]], [["a", .amount(.max), nil, nil, nil]],
        ] as [[[CopiedSample.Field?]]]
    )
    func broken(_ fields: [[CopiedSample.Field?]]) {
        var rows = CopiedRows(of: Self.list)
        #expect(throws: CopiedRows.BrokenRow.self) { try rows.add(CopiedSample(rows: fields).bytes) { _ in 0 } }
    }

    @Test("what does not begin as a copy, or goes on after its end, is an error")
    func foreign() {
        let foreign: [[UInt8]] = [
            Array("PGCOPX".utf8) + Self.copied.bytes.dropFirst(6), Self.copied.bytes + [0],
        ]
        for bytes in foreign {
            var rows = CopiedRows(of: Self.list)
            #expect(throws: CopiedRows.BrokenRow.self) { try rows.add(bytes) { _ in 0 } }
        }
    }
}

/// Rows in the binary format of COPY.
struct CopiedSample {
    var rows: [[Field?]]

    enum Field: ExpressibleByStringLiteral, Sendable {
        case text(String)
        /// A time in seconds since 1970.
        case time(Double)
        case amount(Int64)

        init(stringLiteral text: String) { self = .text(text) }

        var bytes: [UInt8] {
            switch self {
            case .text(let text): Array(text.utf8)
            case .time(let seconds): Self.bytes(Int64(((seconds - 946_684_800) * 1_000_000).rounded()))
            case .amount(let units): Self.bytes(units)
            }
        }

        static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }

    var bytes: [UInt8] {
        var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
        for row in rows {
            bytes += Field.bytes(Int16(row.count))
            for field in row {
                bytes += Field.bytes(field.map { Int32($0.bytes.count) } ?? -1)
                bytes += field?.bytes ?? []
            }
        }
        return bytes + [0xFF, 0xFF]
    }
}
