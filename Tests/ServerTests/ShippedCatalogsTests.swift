import Billing
import Foundation
import Server
import Testing

/// Checks the catalogues in `Catalogs/` against the documents that they are made from.
@Suite("Catalogues that come with the product") struct ShippedCatalogsTests {
    @Test("Readmigo's plans include what its matrix says")
    func readmigo() throws {
        let catalog = try Self.read("readmigo")
        #expect(catalog.plans.map(\.plan.code) == ["FREE", "PRO", "PREMIUM"])
        let matrix: [(String, FeatureLimits?, FeatureLimits?, FeatureLimits?)] = [
            ("ai", FeatureLimits(day: 5), FeatureLimits(day: 100), FeatureLimits.unlimited),
            ("ai-summary", nil, FeatureLimits(day: 50), FeatureLimits.unlimited),
            ("premium-ai", nil, nil, FeatureLimits.unlimited),
            ("voice-chat", nil, FeatureLimits(month: 30), FeatureLimits.unlimited),
            ("video-chat", nil, nil, FeatureLimits.unlimited),
            ("vocabulary", FeatureLimits(lifetime: 50), FeatureLimits(lifetime: 1_000), FeatureLimits.unlimited),
            ("spaced-repetition", nil, FeatureLimits.unlimited, FeatureLimits.unlimited),
            ("offline-books", nil, FeatureLimits(lifetime: 10), FeatureLimits.unlimited),
            ("reading-statistics", nil, FeatureLimits.unlimited, FeatureLimits.unlimited),
            ("vocabulary-export", nil, FeatureLimits.unlimited, FeatureLimits.unlimited),
        ]
        #expect(catalog.features.map(\.feature.code) == matrix.map(\.0))
        for (code, free, pro, premium) in matrix {
            #expect(catalog.plans.map { $0.features[code] } == [free, pro, premium], "\(code)")
        }
        #expect(catalog.plans.map(\.name) == ["Free", "Pro", "Premium"])
        #expect(catalog.plans.map { $0.name(in: "zh-Hans") } == ["免费版", "专业版", "高级版"])
        #expect(
            Self.offers(catalog) == [
                "apple com.readmigo.pro.monthly PRO P1M - 18.00 CNY",
                "apple com.readmigo.pro.yearly PRO P1Y P7D 128.00 CNY",
                "apple com.readmigo.premium.monthly PREMIUM P1M - 28.00 CNY",
                "apple com.readmigo.premium.yearly PREMIUM P1Y P7D 198.00 CNY",
            ]
        )
    }

    @Test("LightGallery sells every tool to Pro and to Max, at one price at Apple, WeChat Pay and Alipay")
    func lightGallery() throws {
        let catalog = try Self.read("lightgallery")
        #expect(catalog.plans.map(\.plan.code) == ["free", "pro", "max"])
        #expect(catalog.plans.map { $0.name(in: "zh-Hans") } == ["免费版", "专业版", "旗舰版"])
        let tools = [
            "toolbox", "smart-clean", "duplicate-detection", "similar-photo-cleanup", "screenshot-cleanup",
            "photo-enhancer", "format-converter", "live-photo-converter", "id-photo-editor", "privacy-wiper",
            "screenshot-stitcher",
        ]
        #expect(catalog.features.map(\.feature.code) == tools)
        let everything = Dictionary(uniqueKeysWithValues: tools.map { ($0, FeatureLimits.unlimited) })
        #expect(catalog.plans.map(\.features) == [[:], everything, everything])
        let expected = ["apple", "wechat", "alipay"].flatMap { store in
            [
                "\(store) com.lightgallery.pro.monthly pro P1M - 10.00 CNY",
                "\(store) com.lightgallery.pro.yearly pro P1Y - 100.00 CNY",
                "\(store) com.lightgallery.max.monthly max P1M - 20.00 CNY",
                "\(store) com.lightgallery.max.yearly max P1Y - 200.00 CNY",
            ]
        }
        #expect(Self.offers(catalog) == expected)
    }

    @Test("Kombin limits what is free, recommends the month, and speaks Turkish")
    func kombin() throws {
        let catalog = try Self.read("kombin")
        #expect(catalog.timeZone == "Europe/Istanbul")
        #expect(catalog.reportingCurrency.code == "TRY")
        #expect(catalog.plans.map(\.plan.code) == ["free", "premium"])
        #expect(
            catalog.plans.first?.features == [
                "clothing": FeatureLimits(lifetime: 3), "outfits": FeatureLimits(day: 10),
            ]
        )
        let codes = ["clothing", "outfits", "theme-customization", "unlimited-favorites", "daily-style-suggestions"]
        #expect(catalog.features.map(\.feature.code) == codes)
        let premium = try #require(catalog.plans.last)
        #expect(premium.features == Dictionary(uniqueKeysWithValues: codes.map { ($0, FeatureLimits.unlimited) }))
        #expect(premium.benefits.count == 5)
        #expect(premium.benefits.allSatisfy { $0.text.texts["tr"] != nil && $0.icon != nil })
        #expect(
            catalog.products.map(\.id) == [
                "com.kombinapp.premium.weekly", "com.kombinapp.premium.monthly", "com.kombinapp.premium.yearly",
            ]
        )
        #expect(
            catalog.products.map(\.period) == [
                BillingPeriod(1, .week), BillingPeriod(1, .month), BillingPeriod(1, .year),
            ]
        )
        #expect(catalog.products.map(\.isRecommended) == [false, true, false])
        #expect(catalog.products.map { $0.name(in: "tr") } == ["Haftalık", "Aylık", "Yıllık"])
        #expect(catalog.products.allSatisfy { $0.prices.map(\.currency.code) == ["TRY"] })
    }

    @Test("LLM Proxy's plans have monthly quotas, and its products the ids of the document")
    func llmProxy() throws {
        let catalog = try Self.read("llm-proxy")
        #expect(catalog.plans.map(\.plan.code) == ["free", "pro", "enterprise"])
        let free = try #require(catalog.plans.first?.features)
        #expect(Set(free.keys) == ["requests", "tokens"])
        #expect(free.values.allSatisfy { ($0.month ?? 0) > 0 && $0.day == nil && $0.lifetime == nil })
        #expect(
            catalog.plans.dropFirst().map(\.features) == [
                ["requests": FeatureLimits(month: 1_000), "tokens": FeatureLimits(month: 100_000)],
                ["requests": FeatureLimits.unlimited, "tokens": FeatureLimits.unlimited],
            ]
        )
        #expect(
            Self.offers(catalog) == [
                "apple com.yourapp.pro.monthly pro P1M - ", "apple com.yourapp.pro.yearly pro P1Y - ",
                "apple com.yourapp.enterprise.monthly enterprise P1M - ",
                "apple com.yourapp.enterprise.yearly enterprise P1Y - ",
            ]
        )
    }

    @Test("every name and every benefit is there in English and Chinese, and in Turkish where the app speaks it")
    func languages() throws {
        for (app, languages) in [
            ("readmigo", ["en", "tr", "zh-Hans"]), ("lightgallery", ["en", "zh-Hans"]),
            ("kombin", ["en", "tr", "zh-Hans"]), ("llm-proxy", ["en", "tr", "zh-Hans"]),
        ] {
            let catalog = try Self.read(app)
            let texts =
                catalog.features.map(\.names) + catalog.plans.map(\.names)
                + catalog.plans.flatMap(\.benefits).map(\.text)
                + catalog.products.map(\.names)
            for text in texts { #expect(text.texts.keys.sorted() == languages, "\(app): \(text.texts)") }
        }
    }

    /// Returns the store, id, plan, period, trial and price of each product.
    private static func offers(_ catalog: Catalog) -> [String] {
        catalog.products.map { product in
            let prices = product.prices.map { "\($0.decimalText) \($0.currency.code)" }.joined(separator: ", ")
            let (period, trial) = (product.period?.description ?? "-", product.trial?.description ?? "-")
            return "\(product.store.rawValue) \(product.id) \(product.plan) \(period) \(trial) \(prices)"
        }
    }

    private static func read(_ app: String) throws -> Catalog {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try CatalogFile.read(root.appending(path: "Catalogs/\(app).yaml").path)
    }
}
