import Billing
import Foundation
import Testing

@Suite("Moments of RFC 3339") struct RFC3339Tests {
    @Test(
        "they are read to the millisecond, with any offset, in upper and lower case",
        arguments: [
            ("2026-01-02T03:04:05Z", 1_767_323_045.0), ("2026-01-02t03:04:05z", 1_767_323_045),
            ("2026-01-02T03:04:05.123456789Z", 1_767_323_045.123), ("2026-01-02T05:04:05.5+02:00", 1_767_323_045.5),
            ("2026-01-01t22:04:05-05:00", 1_767_323_045), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("1969-12-31T23:59:59.9Z", -0.1), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2026-01-02T03:04:05-00:00", 1_767_323_045),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("2017-01-01T00:59:60+01:00", 1_483_228_800),
        ]
    )
    func moments(_ text: String, _ seconds: Double) {
        let read = Date(rfc3339: text)?.timeIntervalSince1970
        #expect(read.map { ($0 * 1_000).rounded() } == (seconds * 1_000).rounded())
    }

    @Test(
        "dates and times that do not exist are none, nor is any other text",
        arguments: [
            "2027-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2027-04-31T00:00:00Z",
            "2027-13-01T00:00:00Z", "2027-00-01T00:00:00Z", "2027-01-00T00:00:00Z", "2027-01-32T00:00:00Z",
            "2027-01-01T24:00:00Z", "2027-01-01T23:60:00Z", "2027-01-01T23:59:61Z", "2027-01-01T12:00:60Z",
            "2027-01-01T00:00:00+24:00", "2027-01-01T00:00:00+01:60", "0000-01-01T00:00:00Z", "",
            "2027-01-01", "2027-01-01T00:00:00", "2027-01-01 00:00:00Z", "2027-01-01T00:00:00.Z",
            "2027-01-01T00:00:00+0100", "2027-01-01T00:00:00ZZ", "２０２７-01-01T00:00:00Z", "+2027-01-01T00:00:00Z",
            "2027-01-01T00:00:00.00000000000000000000000000000000Z",
        ]
    )
    func none(_ text: String) {
        #expect(Date(rfc3339: text) == nil)
    }

    @Test("an offset without a colon is read where it is asked for")
    func bareOffsets() {
        #expect(
            Date(rfc3339: "2020-07-22T18:33:15+0100", takesBareOffsets: true)?.timeIntervalSince1970 == 1_595_439_195
        )
    }
}
