import Foundation
import Testing

@testable import Gateways

@Suite("Strict base64")
struct Base64Tests {
    @Test("what is encoded is decoded, as Foundation does it, at every length")
    func roundTrip() {
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
            #expect(Base64.decode(url: Base64.encode(url: bytes)) == bytes)
            let standard = Data(bytes).base64EncodedString()
            if length > 0 { #expect(Base64.decode(standard: standard.utf8) == bytes) }
            let url = standard.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(Base64.encode(url: bytes) == Array(url.utf8))
        }
    }

    @Test(
        "foreign letters, whitespace, missing or needless padding and stray bits are refused",
        arguments: ["A", "AA=", "AA==", "AAA=", "AB", "AAB", "A+AA", "A/AA", "AA A", "AA\n", "AAAA\n", "ÄÄ", "AAAAA"]
    )
    func strictURL(_ text: String) {
        #expect(Base64.decode(url: text.utf8) == nil)
    }

    @Test(
        "the same of the standard alphabet",
        arguments: ["", "A", "AA", "AAA", "A===", "AB==", "AAB=", "A-AA", "A_AA", "AA=A", "====", "AAAA====", "AAAA\n"]
    )
    func strictStandard(_ text: String) {
        #expect(Base64.decode(standard: text.utf8) == nil)
    }
}
