import Foundation
import Storage
import Testing

@Suite("Comma-separated values") struct CSVTextTests {
    @Test(
        "text is quoted where it must be, and never a formula",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""), ("+1", "'+1"), ("-1", "'-1"), ("@sum", "'@sum"),
            ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""), ("李娜", "李娜"), ("＝1", "'＝1"), ("，1", "，1"), ("", ""),
            ("a=b", "a=b"),
        ]
    )
    func text(_ value: String, _ expected: String) {
        var csv = CSVText()
        csv.text(value.utf8)
        #expect(String(decoding: csv.bytes, as: UTF8.self) == expected)
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
        #expect(String(decoding: csv.take(), as: UTF8.self) == "a,,1\r\n\r\n")
        #expect(csv.bytes.isEmpty)
    }
}
