import Foundation
import Testing

@testable import Gateways

@Suite("Dates within receipts")
struct AppleReceiptDateTests {
    @Test(
        "they are read in UTC, with an offset, and with fractions",
        arguments: [
            ("2024-02-23T17:27:16Z", 1_708_709_236.0), ("1970-01-01T00:00:00Z", 0),
            ("2020-07-22T18:33:15+0100", 1_595_439_195),
            ("2020-07-22T18:33:15+01:00", 1_595_439_195), ("2019-12-31T23:30:00-0130", 1_577_840_400),
            ("2024-02-29T00:00:00.123Z", 1_709_164_800), ("2000-02-29T12:00:00Z", 951_825_600),
            ("1969-12-31T23:59:59Z", -1), ("4001-01-01T00:00:00+0000", 64_092_211_200),
        ]
    )
    func dates(_ text: String, _ seconds: Double) {
        #expect(AppleReceiptDate.date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test("as Foundation reads them, from 1600 (before that its calendar is Julian) to the year 9999")
    func everyYear() throws {
        for second in stride(from: -11_676_096_000.0, to: 253_402_300_000, by: 86_400 * 97.3) {
            let date = Date(timeIntervalSince1970: second.rounded())
            #expect(AppleReceiptDate.date(date.formatted(.iso8601)) == date)
        }
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "2024", "2024-02-23", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
            "2024-01-01T00:00:00", "2024-01-01T00:00:00ZZ", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+1",
            "2024-01-01T00:00:00+2500",
            "20240-01-01T00:00:00Z", "２０２４-01-01T00:00:00Z", "2024-01-01 00:00:00Z",
        ]
    )
    func noDates(_ text: String) {
        #expect(AppleReceiptDate.date(text) == nil)
    }
}
