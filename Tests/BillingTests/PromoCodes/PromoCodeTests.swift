import Billing
import Testing

@Suite("Promo codes") struct PromoCodeTests {
    @Test("60 bits are 12 characters, printed in groups of four and read back")
    func written() throws {
        var numbers = SplitMix64(seed: 20)
        for _ in 0..<1_000 {
            let code = PromoCode(bits: numbers.next())
            #expect(code.text.count == PromoCode.length)
            #expect(code.text.allSatisfy { !"ILOU".contains($0) })
            #expect(code.grouped.split(separator: "-").map(\.count) == [4, 4, 4])
            #expect(PromoCode(code.grouped) == code)
        }
        #expect(PromoCode(bits: 0).grouped == "0000-0000-0000")
        #expect(PromoCode(bits: .max).grouped == "ZZZZ-ZZZZ-ZZZZ")
        #expect(PromoCode(bits: 1 << 60) == PromoCode(bits: 0))
    }

    @Test(
        "case, width, spaces, hyphens and look-alikes do not count",
        arguments: [
            "7K3M-Q01D-2XVA", "7k3mq01d2xva", " 7K3M Q01D 2XVA ", "7k3m–q01d—2xva", "７Ｋ３Ｍ－Ｑ０１Ｄ－２ＸＶＡ", "7K3MQOID2XVA",
            "7k3mqold2xva", "7K3M　Q01D　2XVA",
        ]
    )
    func typed(_ text: String) {
        #expect(PromoCode(text)?.grouped == "7K3M-Q01D-2XVA")
    }

    @Test(
        "what is no code is none",
        arguments: [
            "", " ", "-", "7K3MQ01D2XV", "7K3MQ01D2XVAA", "7K3MQ01D2XVU", "7K3M_Q01D_2XVA", "7K3MQ01D2XV\0",
            "七K3MQ01D2XVA",
        ]
    )
    func wrong(_ text: String) {
        #expect(PromoCode(text) == nil)
    }

    @Test("100,000 characters are read no further than a code is long")
    func long() {
        #expect(PromoCode(String(repeating: "7", count: 100_000)) == nil)
    }

    @Test("a log does not say a code")
    func secret() {
        let code = PromoCode(bits: 42)
        #expect(!"\(code) \(String(reflecting: code))".contains(code.text))
    }
}
