import Testing

@testable import Gateways

@Suite("JSON")
struct JSONTests {
    @Test("what is read and written again is the same")
    func roundTrip() throws {
        let text = #"{"a":[1,-2.5,true,false,null,"x\"y\\z"],"b":{"c":"ğüş 欧阳 \u0001"},"d":9223372036854775807}"#
        let json = try JSON(parsing: Array(text.utf8))
        #expect(String(decoding: json.bytes, as: UTF8.self) == text)
    }

    @Test("escapes, surrogate pairs and whitespace are read")
    func escapes() throws {
        let text = " { \"a\\u0062\\n\\t\\/\" : [ \"\\ud83d\\ude00\" , 1E2 ] } \r\n"
        #expect(try JSON(parsing: Array(text.utf8)) == ["ab\n\t/": ["😀", .number(100)]])
    }

    @Test(
        "what is not JSON, and what PostgreSQL cannot keep, is malformed",
        arguments: [
            "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{a:1}", "[1 2]", "\"", "\"\\", "\"\\x\"", "\"\\u12\"",
            "\"\u{1}\"",
            "01", "-", "1.", ".5", "1e", "+1", "nul", "truex", "1 1", "\"\\u0000\"", "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"", "1e999", "NaN", "Infinity", "[", "{\"a\"", "{\"a\":", "\u{FEFF}{}",
        ]
    )
    func malformed(_ text: String) {
        #expect(error(.malformed) { _ = try JSON(parsing: Array(text.utf8)) })
    }

    @Test("bytes that are not UTF-8 are malformed")
    func notUTF8() {
        #expect(error(.malformed) { _ = try JSON(parsing: [0x22, 0xFF, 0x22]) })
        #expect(error(.malformed) { _ = try JSON(parsing: [0x22, 0x5C, 0x6E, 0xC3, 0x22]) })
    }

    @Test("deep nesting is refused before it can exhaust the stack")
    func deep() throws {
        let allowed = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        _ = try JSON(parsing: Array(allowed.utf8))
        for opening in ["[", "{\"a\":"] {
            let text = String(repeating: opening, count: 100_000)
            #expect(error(.malformed) { _ = try JSON(parsing: Array(text.utf8)) })
        }
    }

    @Test("of repeated names the last counts")
    func repeated() throws {
        #expect(try JSON(parsing: Array(#"{"a":1,"a":2}"#.utf8))["a"] == 2)
    }

    @Test("numbers beyond 64 bits are read as what they are near")
    func numbers() throws {
        #expect(try JSON(parsing: Array("9223372036854775808".utf8)) == .number(9_223_372_036_854_775_808))
        #expect(try JSON(parsing: Array("-9223372036854775808".utf8)) == .integer(.min))
    }

    @Test("quotes, escapes and control characters are seen at every place of a string")
    func everyPlace() throws {
        for length in 0..<40 {
            let text = String(repeating: "é~", count: length / 2) + String(repeating: "x", count: length % 2)
            #expect(try JSON(parsing: Array("[\"\(text)\",1]".utf8)) == [.string(text), 1])
            #expect(try JSON(parsing: Array("\"\(text)\\n\(text)\"".utf8)) == .string(text + "\n" + text))
            #expect(error(.malformed) { _ = try JSON(parsing: Array("\"\(text)\u{1F}\(text)\"".utf8)) })
            #expect(error(.malformed) { _ = try JSON(parsing: Array("\"\(text)".utf8)) })
            #expect(error(.malformed) { _ = try JSON(parsing: Array("\"\(text)\\".utf8)) })
        }
    }
}
