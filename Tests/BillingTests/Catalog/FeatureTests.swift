import Billing
import Testing

@Suite("Features") struct FeatureTests {
    @Test("a text is given in the language asked for, else in English, Chinese or Turkish, in that order")
    func languages() {
        let all = LocalizedText(["en": "Books", "zh-Hans": "书籍", "tr": "Kitaplar"])
        #expect(all.text(in: "tr") == "Kitaplar")
        #expect(all.text(in: "zh-Hans") == "书籍")
        #expect(all.text(in: "fr") == "Books")
        let without = LocalizedText(["zh-Hans": "书籍", "tr": "Kitaplar"])
        #expect(without.text(in: "en") == "书籍")
        #expect(without.text(in: "tr") == "Kitaplar")
        #expect(LocalizedText(["tr": "Kitaplar"]).text(in: "zh-Hans") == "Kitaplar")
        #expect(LocalizedText().text(in: "en") == nil)
    }

    @Test("one name stands for all languages where there are no others")
    func names() {
        let plan = Plan(code: "PRO", rank: 1)
        #expect(CatalogPlan(plan: plan, name: "Pro").name(in: "tr") == "Pro")
        let named = CatalogPlan(plan: plan, name: "Pro", names: LocalizedText(["en": "Pro", "zh-Hans": "专业版"]))
        #expect(named.name(in: "zh-Hans") == "专业版")
        #expect(named.name(in: "tr") == "Pro")
    }

    @Test("a code is lower-case letters and digits with single hyphens, at most 64 characters")
    func codes() {
        for code in ["ai", "voice-chat", "2nd-opinion", "a", String(repeating: "a", count: 64)] {
            #expect(Feature.isCode(code), "\(code)")
        }
        let none = [
            "", "AI", "voice_chat", "voice--chat", "-ai", "ai-", "a b", "a\0b", "ai\n", "açıklama", "１",
            String(repeating: "a", count: 65), String(repeating: "a", count: 100_000),
        ]
        for text in none { #expect(!Feature.isCode(text), "\(text.prefix(10).debugDescription)") }
    }

    @Test("limits are read and set by window; without one it is unlimited")
    func limits() {
        let unlimited = FeatureLimits.unlimited
        #expect(UsageWindow.allCases.allSatisfy { unlimited[$0] == nil })
        var limits = unlimited
        limits[.month] = 30
        #expect(limits == FeatureLimits(month: 30))
        limits[.day] = 5
        limits[.lifetime] = 50
        #expect(limits == FeatureLimits(day: 5, month: 30, lifetime: 50))
        #expect(limits[.lifetime] == 50)
        for window in UsageWindow.allCases { limits[window] = nil }
        #expect(limits == unlimited)
    }
}
