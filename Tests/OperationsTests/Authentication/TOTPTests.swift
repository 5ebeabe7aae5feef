import Foundation
import Operations
import Testing

@Suite("Codes of a second factor") struct TOTPTests {
    private static let totp = TOTP(secret: Array("12345678901234567890".utf8))

    @Test(
        "codes are those of RFC 6238, appendix B",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Double, String)]
    )
    func vectors(_ seconds: Double, _ code: String) {
        let step = TOTP.step(at: Date(timeIntervalSince1970: seconds))
        #expect(Self.totp.code(at: step, digits: 8) == code)
        #expect(Self.totp.code(at: step) == code.suffix(6))
    }

    @Test("a code is good one step early and late, not two, and not again")
    func window() {
        let now = Date(timeIntervalSince1970: 1_111_111_111)
        let step = TOTP.step(at: now)
        for offset in -3...3 as ClosedRange<Int64> {
            let found = Self.totp.step(of: Self.totp.code(at: step + offset), at: now, after: 0)
            #expect(found == (abs(offset) <= 1 ? step + offset : nil))
        }
        #expect(Self.totp.step(of: Self.totp.code(at: step), at: now, after: step) == nil)
        #expect(Self.totp.step(of: Self.totp.code(at: step - 1), at: now, after: step) == nil)
        #expect(Self.totp.step(of: Self.totp.code(at: step + 1), at: now, after: step) == step + 1)
    }

    @Test("blanks in a code do not matter, everything else does")
    func typed() {
        let now = Date(timeIntervalSince1970: 59)
        #expect(Self.totp.step(of: "287 082", at: now, after: 0) == 1)
        for wrong in ["", "28708", "2870822", "287083", "28708a", "２８７０８２", "94287082"] {
            #expect(Self.totp.step(of: wrong, at: now, after: 0) == nil, "\(wrong)")
        }
    }

    @Test("the address for the app names issuer, account and secret, in base32")
    func address() {
        #expect(Self.totp.secretText == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(
            Self.totp.address(for: "ada@example.com")
                == "otpauth://totp/Perennial:ada%40example%2Ecom?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Perennial&algorithm=SHA1&digits=6&period=30"
        )
    }
}
