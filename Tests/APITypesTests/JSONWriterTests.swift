import Foundation
import Testing

@testable import APITypes

@Suite("Writing JSON") struct JSONWriterTests {
    @Test("any text survives a JSON reader")
    func texts() throws {
        let texts = [
            "", "plain", "\"quoted\"", "back\\slash", "\u{0}\u{1}\u{1F}", "line\nfeed\ttab\r", "李娜 İbrahim 👩‍👩‍👧",
            "</script>",
        ]
        var json = JSONWriter()
        json.array(texts) { json, text in json.string(text) }
        #expect(try JSONDecoder().decode([String].self, from: Data(json.bytes)) == texts)
    }

    @Test("nested values get their commas")
    func nesting() {
        var json = JSONWriter()
        json.object { json in
            json.name("a")
            "x".write(to: &json)
            json.name("b")
            (nil as String?).write(to: &json)
            json.name("c")
            json.array([1, 2]) { json, number in
                json.object { json in
                    json.name("n")
                    number.write(to: &json)
                }
            }
            json.name("d")
            [Int]().write(to: &json)
            json.name("e")
            5.write(to: &json)
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self) == #"{"a":"x","b":null,"c":[{"n":1},{"n":2}],"d":[],"e":5}"#
        )
    }

    @Test("a volatile value is written in its place, and where it stands is known")
    func volatile() throws {
        let answer = CustomerEntitlement(
            userId: nil,
            externalId: "reader",
            version: 1,
            environment: "PRODUCTION",
            planType: nil,
            planName: nil,
            status: "ACTIVE",
            source: nil,
            productId: nil,
            expiresAt: nil,
            willRenew: false,
            features: [],
            serverTime: Date(timeIntervalSince1970: 0)
        )
        var json = JSONWriter()
        json.array([answer, answer]) { json, answer in answer.write(to: &json) }
        #expect(
            json.volatileRanges.map { String(decoding: json.bytes[$0], as: UTF8.self) }
                == Array(repeating: #""1970-01-01T00:00:00Z""#, count: 2)
        )
    }

    private static let moments: [(seconds: Double, text: String)] = [
        (0, "1970-01-01T00:00:00Z"), (1_795_228_800.5, "2026-11-21T02:40:00.500Z"),
        (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        (4_102_444_799.9999, "2100-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
    ]

    @Test("times are RFC 3339 in UTC", arguments: moments)
    func times(_ seconds: Double, _ text: String) {
        #expect(TimeText.rfc3339(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        "a time that no calendar reaches ends nothing",
        arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300]
    )
    func unreachable(_ seconds: Double) {
        #expect(TimeText.rfc3339(Date(timeIntervalSince1970: seconds)).hasSuffix("Z"))
    }

    @Test("what is no number is null", arguments: [Double.infinity, -.infinity, .nan])
    func noNumbers(_ number: Double) {
        var json = JSONWriter()
        number.write(to: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == "null")
    }
}
