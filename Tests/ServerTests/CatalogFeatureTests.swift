import Billing
import Foundation
import Operations
import Server
import Testing

@Suite("Features and names in catalogue files") struct CatalogFeatureTests {
    @Test("features, limits, benefits, names and the recommended product are read")
    func whole() throws {
        let catalog = try CatalogFileTests.read(Self.shop)
        #expect(
            catalog.features == [
                CatalogFeature(
                    feature: Feature(code: "ai-explain"),
                    name: "Explanations",
                    names: LocalizedText(["en": "Explanations", "zh-Hans": "单词解释", "tr": "Açıklamalar"])
                ),
                CatalogFeature(
                    feature: Feature(code: "offline-books"),
                    name: "Offline books",
                    limitReached: LocalizedText(["tr": "En fazla {limit} kitap"])
                ),
                CatalogFeature(
                    feature: Feature(code: "premium-ai"),
                    name: "Yapay zekâ",
                    names: LocalizedText(["tr": "Yapay zekâ"])
                ),
            ]
        )
        #expect(
            catalog.plans == [
                CatalogPlan(plan: Plan(code: "FREE", rank: 0), name: "Free"),
                CatalogPlan(
                    plan: Plan(code: "PRO", rank: 1),
                    name: "Pro",
                    names: LocalizedText(["en": "Pro", "zh-Hans": "专业版"]),
                    benefits: [
                        PlanBenefit(
                            LocalizedText(["en": "More explanations", "tr": "Daha çok açıklama"]),
                            icon: "text.bubble"
                        ),
                        PlanBenefit(LocalizedText(["zh-Hans": "离线书籍"])),
                    ],
                    features: [
                        "ai-explain": FeatureLimits(day: 100, month: 1_000_000_000_000),
                        "offline-books": FeatureLimits(lifetime: 10),
                        "premium-ai": .unlimited,
                    ]
                ),
            ]
        )
        #expect(
            catalog.paywall
                == PaywallCopy(
                    title: LocalizedText(["en": "Shop Pro", "tr": "Dükkân Pro"]),
                    termsURL: "https://shop.example/terms"
                )
        )
        #expect(catalog.products.map(\.isRecommended) == [true, false])
        #expect(catalog.products.map(\.name) == ["Pro monthly", "Pro yearly"])
        #expect(
            catalog.products.map(\.names) == [
                LocalizedText(["en": "Pro monthly", "tr": "Aylık Pro"]), LocalizedText(),
            ]
        )
    }

    @Test("a product says the credits that its orders bring")
    func credits() throws {
        let text = Self.shop.replacingOccurrences(
            of: "id: pro.yearly",
            with: "id: pro.yearly\n    credits: { ai-explain: 500, premium-ai: 1000000000 }"
        )
        #expect(
            try CatalogFileTests.read(text).products.map(\.credits)
                == [[:], ["ai-explain": 500, "premium-ai": 1_000_000_000]]
        )
    }

    @Test("each store has a recommended product of its own")
    func recommendedAtEachStore() throws {
        let text = Self.shop.replacingOccurrences(
            of: "  - store: apple\n    id: pro.yearly",
            with: "  - store: google\n    id: pro.yearly\n    recommended: true"
        )
        #expect(try CatalogFileTests.read(text).products.map(\.isRecommended) == [true, true])
    }

    @Test("a product's id comes from the environment, or is the default where that has nothing")
    func environment() throws {
        let variable = "PERENNIAL_TEST_PRODUCT_ID"
        func id(_ written: String) throws -> String? {
            try CatalogFileTests.read(Self.shop.replacingOccurrences(of: "id: pro.yearly", with: "id: \(written)"))
                .products.last?.id
        }
        #expect(try id("${\(variable):-com.shop.pro}") == "com.shop.pro")
        setenv(variable, "", 1)
        defer { unsetenv(variable) }
        #expect(try id("${\(variable):-com.shop.pro}") == "com.shop.pro")
        setenv(variable, "com.shop.other", 1)
        #expect(try id("${\(variable):-com.shop.pro}") == "com.shop.other")
        #expect(try id("${\(variable)}") == "com.shop.other")
        setenv(variable, "a\u{1}b", 1)
        let error = #expect(throws: OperationsError.self) { _ = try id("${\(variable)}") }
        #expect(error?.field == "products[1].id")
    }

    @Test("each problem names its field", arguments: Problem.all)
    func problems(_ problem: Problem) throws {
        let text = Self.shop.replacingOccurrences(of: problem.instead, with: problem.written)
        #expect(text != Self.shop, "\(problem.instead) is not in the file")
        let error = #expect(throws: OperationsError.self) { try CatalogFileTests.read(text) }
        #expect(error?.code == .invalid)
        #expect(error?.field == problem.field)
        let message = error?.message ?? ""
        #expect(message.contains(problem.told), "\(message.prefix(300))")
        #expect(message.utf8.count < 1_000, "it repeats what was written")
    }

    /// A fault in the good file: the text that it replaces, its own text, and the error that it causes.
    struct Problem: Sendable, CustomTestStringConvertible {
        var instead: String
        var written: String
        /// The field that the error names; nil for a value of the wrong type.
        var field: String?
        var told: String

        var testDescription: String { "\(written.prefix(60).debugDescription): \(told)" }

        init(_ instead: String, _ written: String, _ field: String?, _ told: String) {
            self.instead = instead
            self.written = written
            self.field = field
            self.told = told
        }

        static let all: [Problem] = [codes, names, benefits, paywall, included, limits, ids, recommended, credits]
            .flatMap(\.self)

        private static func credit(_ written: String, _ member: String, _ told: String) -> Problem {
            Problem("id: pro.yearly", "id: pro.yearly\n    credits: \(written)", "products[1].credits\(member)", told)
        }

        private static let credits: [Problem] = [
            credit("{ gold: 5 }", ".gold", "is none of the features"),
            credit("{ \"a b\": 5 }", "", "is none of the features"),
            credit("{ ai-explain: 0 }", ".ai-explain", "is a whole number from 1 to 1000000000."),
            credit("{ ai-explain: -1 }", ".ai-explain", "is a whole number from 1 to 1000000000."),
            credit("{ ai-explain: 1000000001 }", ".ai-explain", "is a whole number from 1 to 1000000000."),
            credit("{ ai-explain: 1.5 }", ".ai-explain", "is a whole number from 1 to 1000000000."),
            credit("{ ai-explain: \(long) }", ".ai-explain", "is a whole number from 1 to 1000000000."),
            Problem(
                "id: pro.yearly",
                "id: pro.yearly\n    credits: 5",
                nil,
                "products[1].credits is of the wrong type"
            ),
        ]

        private static let long = String(repeating: "a", count: 100_000)

        private static func code(_ written: String) -> Problem {
            Problem(
                "code: offline-books",
                "code: \(written)",
                "features[1].code",
                "features[1].code is lower-case letters, digits and hyphens, at most 64 characters"
            )
        }

        private static let codes: [Problem] = [
            code("\"\""), code("Offline"), code("offline--books"), code("-offline"), code("offline_books"),
            code("\"a\\0b\""), code("1.5"), code("-9223372036854775808"), code(long),
            Problem("code: offline-books", "code: ai-explain", "features[1].code", "is there twice: ai-explain"),
            Problem("code: offline-books, ", "", nil, "features[1].code is missing"),
        ]

        private static func name(_ written: String, _ member: String, _ told: String) -> Problem {
            Problem("name: Offline books", "name: \(written)", "features[1].name\(member)", told)
        }

        private static let names: [Problem] = [
            name("\"\"", "", "is a text of 1 to 200"),
            name("\"a\\0b\"", "", "without control"),
            name(long, "", "is a text of 1 to 200"),
            name("{}", "", "has no text; languages are en, zh-Hans, tr"),
            name("{ fr: Livres }", ".fr", "is no language"),
            name("{ \"a b\": x }", "", "is no language"),
            name("{ en: \"\" }", ".en", "is a text of 1 to 200"),
            name("{ en: \"a\\0b\" }", ".en", "without control"),
            name("{ en: Books, tr: \(long) }", ".tr", "is a text of 1 to 200"),
            Problem("name: Offline books", "name: [Books]", nil, "features[1].name is of the wrong type"),
            Problem("name: Offline books", "name: { en: [Books] }", nil, "features[1].name.en is of the wrong type"),
            Problem("name: { en: Pro, ", "name: { de: Pro, ", "plans[1].name.de", "is no language"),
            Problem("name: Pro yearly", "name: { de: Pro }", "products[1].name.de", "is no language"),
        ]

        private static func benefit(_ written: String, _ member: String, _ told: String) -> Problem {
            Problem("{ zh-Hans: 离线书籍 }", written, "plans[1].benefits[1]\(member)", told)
        }

        private static func copy(_ written: String, _ field: String, _ told: String) -> Problem {
            Problem("paywall:\n", "paywall:\n  \(written)\n", "paywall.\(field)", told)
        }

        private static let paywall: [Problem] = [
            copy("headline: {}", "headline", "has no text"),
            copy("headline: { de: Mehr }", "headline.de", "is no language"),
            copy("headline: { en: \(long) }", "headline.en", "is a text of 1 to 200"),
            copy("subscribe: { en: \"a\\0b\" }", "subscribe.en", "without control"),
            copy("privacy: \"\"", "privacy", "begins with https://"),
            copy("privacy: http://shop.example/privacy", "privacy", "begins with https://"),
            copy("privacy: \"javascript:alert(1)\"", "privacy", "begins with https://"),
            copy("privacy: \"https://\"", "privacy", "begins with https://"),
            copy("privacy: https://shop.example/\(long)", "privacy", "of at most 500 characters"),
            Problem("paywall:\n", "paywall:\n  headline: More\n", nil, "paywall.headline is of the wrong type"),
            Problem("{limit} kitap", "{limits} kitap", "features[1].limitReached.tr", "something else than {limit}"),
            Problem("{limit} kitap", "} kitap", "features[1].limitReached.tr", "something else than {limit}"),
            Problem("{ tr: \"En fazla {limit} kitap\" }", "{}", "features[1].limitReached", "has no text"),
        ]

        private static let benefits: [Problem] = [
            benefit("{}", "", "has no text"),
            benefit("{ xx: More }", ".xx", "is no language"),
            benefit("{ en: \"\" }", ".en", "is a text of 1 to 200"),
            benefit("{ en: \"a\\0b\" }", ".en", "without control"),
            benefit("{ en: \(long) }", ".en", "is a text of 1 to 200"),
            benefit("{ icon: star }", "", "has no text"),
            benefit("{ icon: \"\", en: More }", ".icon", "is a name of 1 to 64"),
            benefit("{ icon: \(long), en: More }", ".icon", "is a name of 1 to 64"),
            benefit("{ icon: \"a b\", en: More }", ".icon", "is a name of 1 to 64"),
            Problem("{ zh-Hans: 离线书籍 }", "More", nil, "plans[1].benefits[1] is of the wrong type"),
        ]

        private static func unknown(_ code: String, _ member: String) -> Problem {
            Problem(
                "premium-ai: unlimited",
                "\(code): unlimited",
                "plans[1].features\(member)",
                "is none of the features"
            )
        }

        private static func books(_ written: String, _ member: String, _ told: String) -> Problem {
            Problem("{ lifetime: 10 }", written, "plans[1].features.offline-books\(member)", told)
        }

        private static let included: [Problem] = [
            unknown("gold", ".gold"), unknown("AI", ".AI"), unknown("\"a b\"", ""), unknown("\"\"", ""),
            unknown("\"a\\0b\"", ""),
            books("10", "", "is unlimited, or limits by window"),
            books("\"\"", "", "is unlimited, or limits by window"),
            books("Unlimited", "", "is unlimited, or limits by window"),
            books(long, "", "is unlimited, or limits by window"),
            books("{}", "", "has no window"),
            books("{ week: 10 }", ".week", "windows are day, month, lifetime"),
            books("{ \"a\\0b\": 10 }", "", "windows are day, month, lifetime"),
            Problem("{ lifetime: 10 }", "[10]", nil, "plans[1].features.offline-books is of the wrong type"),
            Problem(
                "{ lifetime: 10 }",
                "{ lifetime: [10] }",
                nil,
                "plans[1].features.offline-books.lifetime is of the wrong type"
            ),
        ]

        private static func limit(_ written: String) -> Problem {
            books("{ lifetime: \(written) }", ".lifetime", "lifetime is a whole number from 1 to 1000000000000.")
        }

        private static let limits: [Problem] = [
            limit("-1"), limit("-9223372036854775808"), limit("9223372036854775807"), limit("10000000000000000000"),
            limit("1000000000001"), limit("1.5"), limit("1e3"), limit("1_000"), limit("\"\""), limit("\"1\\0\""),
            limit("~"), limit("ten"), limit("00"), limit("+5"), limit("５"),
            limit(String(repeating: "9", count: 100_000)),
            books("{ lifetime: 0 }", ".lifetime", "is 0; leave the feature out"),
        ]

        private static func id(_ written: String, _ told: String) -> Problem {
            Problem("id: pro.yearly", "id: \(written)", "products[1].id", told)
        }

        private static let ids: [Problem] = [
            id("${PERENNIAL_TEST_NO_SUCH}", "is not set; set it, or write ${PERENNIAL_TEST_NO_SUCH:-default}"),
            id("${PERENNIAL_TEST_NO_SUCH:-}", "is a text of 1 to 200"),
            id("\"${PERENNIAL_TEST_NO_SUCH:-a\\0b}\"", "without control"),
            id("${PERENNIAL_TEST_NO_SUCH:-\(long)}", "is a text of 1 to 200"),
            id("${PERENNIAL_TEST_NO_SUCH:-pro.monthly}", "is there twice: apple pro.monthly"),
            id("pro.${PERENNIAL_TEST_NO_SUCH:-yearly}", "is an id, or as a whole ${NAME} or ${NAME:-default}"),
            id("${PERENNIAL_TEST_NO_SUCH:-a}b", "is an id, or as a whole"),
            id("${PERENNIAL_TEST_NO_SUCH-a}", "is an id, or as a whole"),
            id("${}", "is an id, or as a whole"),
            id("${1ST}", "is an id, or as a whole"),
            id("\"${\"", "is an id, or as a whole"),
            id("\"${\(long)}\"", "is an id, or as a whole"),
            id("\"\"", "is a text of 1 to 200"),
        ]

        private static let recommended: [Problem] = [
            Problem(
                "name: Pro yearly",
                "name: Pro yearly\n    recommended: true",
                "products[1].recommended",
                "is there twice: of apple, products[0] is recommended already"
            ),
            Problem(
                "name: Pro yearly",
                "name: Pro yearly\n    recommended: perhaps",
                nil,
                "products[1].recommended is of the wrong type"
            ),
        ]
    }

    static let shop = """
        app: shop
        name: Shop
        timeZone: Europe/Istanbul
        reportingCurrency: TRY
        features:
          - { code: ai-explain, name: { en: Explanations, zh-Hans: 单词解释, tr: Açıklamalar } }
          - { code: offline-books, name: Offline books, limitReached: { tr: "En fazla {limit} kitap" } }
          - { code: premium-ai, name: { tr: Yapay zekâ } }
        paywall:
          title: { en: Shop Pro, tr: Dükkân Pro }
          terms: https://shop.example/terms
        plans:
          - { code: FREE, name: Free, rank: 0 }
          - code: PRO
            name: { en: Pro, zh-Hans: 专业版 }
            rank: 1
            benefits:
              - { icon: text.bubble, en: More explanations, tr: Daha çok açıklama }
              - { zh-Hans: 离线书籍 }
            features:
              ai-explain: { day: 100, month: 1000000000000 }
              offline-books: { lifetime: 10 }
              premium-ai: unlimited
        products:
          - store: apple
            id: pro.monthly
            plan: PRO
            name: { en: Pro monthly, tr: Aylık Pro }
            period: P1M
            recommended: true
          - store: apple
            id: pro.yearly
            plan: PRO
            name: Pro yearly
            period: P1Y

        """
}
