import Foundation
import Storage
import Testing

@Suite("Comma-separated values") struct CSVTextTests {
    @Test(
        "text is quoted, and never a formula",
        arguments: [
            ("plain", "plain"), ("a,b", "a,b"), ("say \"hi\"", "say \"\"hi\"\""), ("two\nlines", "two\nlines"),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"\"x\"\")"), ("+1", "'+1"), ("-1", "'-1"), ("@sum", "'@sum"),
            ("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"), ("李娜", "李娜"), ("＝1", "'＝1"), ("，1", "，1"), ("", ""),
            ("a=b", "a=b"), ("﹣1", "'﹣1"), ("−1", "'−1"), ("O'Hara", "O'Hara"), ("'tis", "'tis"),
        ]
    )
    func text(_ value: String, _ expected: String) {
        #expect(Self.cell(value) == "\"\(expected)\"")
        #expect(SpreadsheetText.restored(expected.replacing("\"\"", with: "\"")) == value)
    }

    @Test(
        "a semicolon makes a new cell, and a formula",
        arguments: [
            ("Ada;=1+2", "Ada;'=1+2"), ("ok;@SUM(1)", "ok;'@SUM(1)"), ("u;-1", "u;'-1"), ("a\t+1", "a\t'+1"),
            ("a;\"=1", "a;'\"\"=1"), ("a; =1", "a;' =1"), ("a\n=1\r\n@b", "a\n'=1\r\n'@b"), ("\n=1", "'\n'=1"),
            ("\u{A0}=1", "'\u{A0}=1"), ("\u{3000}＋1", "'\u{3000}＋1"), ("\u{200B}=1", "'\u{200B}=1"), ("a;b", "a;b"),
            ("x;'=1", "x;''=1"), ("one, -two", "one, -two"),
        ]
    )
    func separators(_ value: String, _ expected: String) {
        #expect(Self.cell(value) == "\"\(expected)\"")
        #expect(SpreadsheetText.restored(expected.replacing("\"\"", with: "\"")) == value)
    }

    @Test(
        "Excel eats the last digits of ids: what it would change is text",
        arguments: [
            "2000000796570433", "4200002123202611281234567890", "007", "1E5", "1e-5", "3/4", "2026-11-21", "12:30",
            "5%",
            "1.50", "MAR1", "sept 2", "1月2日", "Ağu 5", "TRUE", "false", "DOĞRU", "１２", "2026-11-21T10:37:05Z", "$5",
            "(5)", "MRZ4", "Mai 5", "3. März", "4 août", "WAHR", "Faux", "5 p", "10:30 ÖÖ", "ös 4:15", "下午5:00", "１Ｅ５",
            "ｍａｒ　１", "￥5", "5 TL", "1.234,50", "15時", "(77)",
        ]
    )
    func values(_ value: String) {
        #expect(Self.cell(value) == "\"'\(value)\"")
        #expect(SpreadsheetText.restored("'" + value) == value)
    }

    @Test(
        "what a spreadsheet leaves alone has no apostrophe",
        arguments: [
            "0", "4711", "123456789012345", "user-4711", "ORD-20261119-0002", "01931f3a-7000-7000-8000-000000000030",
            "pro.monthly", "3 Hürel", "Truman", "March", "k1", "e5", "1a", "ABCD-EFGH-12JK",
            "5p", "Mai", "März", "p 5", "Fausta", "Ｐｌａｎ",
        ]
    )
    func alone(_ value: String) {
        #expect(Self.cell(value) == "\"\(value)\"")
        #expect(SpreadsheetText.restored("'" + value) == "'" + value)
    }

    @Test("the apostrophe of the export comes back with the import: any text is itself again")
    func roundTrip() {
        let pieces = [
            "'", "=", "-", "＋", "@", ";", ",", "\t", "\n", "\r", "\"", " ", "\u{A0}", "0", "7", "E", "a", "mar", "李",
        ]
        var state: UInt64 = 36
        for _ in 0..<20_000 {
            var text = ""
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for _ in 0..<Int((state >> 33) % 9) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int((state >> 33) % UInt64(pieces.count))]
            }
            let cell = Self.cell(text).dropFirst().dropLast().replacing("\"\"", with: "\"")
            #expect(SpreadsheetText.restored(String(cell)).utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
        }
    }

    @Test("a number that a spreadsheet shortened is known by its looks, and a code is none")
    func shortened() {
        for text in ["2.0E+15", "2.00000079657E+15", "2,00000079657E+15", "2E+15"] {
            #expect(SpreadsheetText.isShortenedNumber(text), "\(text)")
        }
        for text in ["1E5", "007", "2.0E-15", "E+15", "a2.0E+15", "20000"] {
            #expect(!SpreadsheetText.isShortenedNumber(text), "\(text)")
        }
    }

    private static func cell(_ value: String) -> String {
        var csv = CSVText()
        csv.text(value.utf8)
        return String(decoding: csv.bytes, as: UTF8.self)
    }

    @Test(
        "amounts are plain decimal numbers with the currency's own digits",
        arguments: [
            (12_800, 2, "128.00"), (-9_800, 2, "-98.00"), (5, 2, "0.05"), (1_280, 0, "1280"), (12_345, 3, "12.345"),
            (0, 2, "0.00"), (.min, 2, "-92233720368547758.08"),
        ] as [(Int64, Int, String)]
    )
    func amounts(_ minorUnits: Int64, _ digits: Int, _ expected: String) {
        var csv = CSVText()
        csv.amount(minorUnits, digits: digits)
        #expect(String(decoding: csv.bytes, as: UTF8.self) == expected)
    }

    @Test(
        "times are ISO 8601 with the zone's offset",
        arguments: [
            (1_795_228_800, 28_800, "2026-11-21T10:40:00+08:00"), (0, 0, "1970-01-01T00:00:00+00:00"),
            (-1, 0, "1969-12-31T23:59:59+00:00"), (1_709_164_800, -12_600, "2024-02-28T20:30:00-03:30"),
        ]
    )
    func times(_ moment: Int, _ offset: Int, _ expected: String) {
        var csv = CSVText()
        csv.time(Date(timeIntervalSince1970: Double(moment)), offset: offset)
        #expect(String(decoding: csv.bytes, as: UTF8.self) == expected)
    }

    @Test("rows end as RFC 4180 says, and what is not known is empty")
    func rows() {
        var csv = CSVText()
        csv.text("a".utf8)
        csv.nothing()
        csv.amount(1, digits: 0)
        csv.endRow()
        csv.nothing()
        csv.endRow()
        #expect(String(decoding: csv.take(), as: UTF8.self) == "\"a\",,1\r\n\r\n")
        #expect(csv.bytes.isEmpty)
    }
}
