import Billing
import Testing

@Suite("Who gains and who loses by a catalogue") struct CatalogEffectTests {
    @Test("features, limits, ranks and products are told by plan, with who has it")
    func changes() {
        let old = catalog([
            plan(
                "free",
                0,
                ["scan": FeatureLimits(day: 5), "page": FeatureLimits(day: 3, month: 30), "call": .unlimited]
            ),
            plan("pro", 1, ["scan": FeatureLimits(day: 50), "dream": FeatureLimits(lifetime: 9)]),
            plan("gone", 3, [:]),
        ])
        let new = catalog([
            plan("free", 0, ["scan": FeatureLimits(day: 4), "page": FeatureLimits(day: 9, month: 10)]),
            plan("pro", 2, ["scan": .unlimited, "dream": FeatureLimits(lifetime: 9), "call": FeatureLimits(day: 1)]),
            plan("team", 4, [:]),
        ])
        let effects = CatalogEffect.all(from: old, to: new, holders: ["free": 10, "pro": 2, "gone": 1]) { _ in 0 }
        let told = effects.map { "\($0.kind) \($0.plan) \($0.feature ?? "-") \($0.customers)" }
        #expect(
            told == [
                "limitLowered free scan 10", "limitChanged free page 10", "featureLost free call 10",
                "rankChanged pro - 2", "limitRaised pro scan 2", "featureGained pro call 2", "planAdded team - 0",
                "planRemoved gone - 1",
            ]
        )
        #expect(effects.first?.before == FeatureLimits(day: 5))
        #expect(effects.first?.after == FeatureLimits(day: 4))
        #expect(CatalogEffect.all(from: new, to: new, holders: ["free": 10]) { _ in 0 } == [])
    }

    @Test("a product that is no longer sold says how many subscriptions of it renew")
    func product() {
        var old = catalog([plan("free", 0, [:])])
        old.products = [
            CatalogProduct(plan: "free", store: .apple, id: "a", name: "A", period: nil, trial: nil, prices: [])
        ]
        let effects = CatalogEffect.all(from: old, to: catalog([plan("free", 0, [:])]), holders: [:]) { product in
            product.id == "a" ? 7 : 0
        }
        #expect(effects.map(\.kind) == [.productRemoved])
        #expect(effects.first?.product == "a")
        #expect(effects.first?.customers == 7)
    }

    private func plan(_ code: String, _ rank: Int, _ features: [String: FeatureLimits]) -> CatalogPlan {
        CatalogPlan(plan: Plan(code: code, rank: rank), name: code, features: features)
    }

    private func catalog(_ plans: [CatalogPlan]) -> Catalog {
        Catalog(
            app: "shop",
            name: "Shop",
            timeZone: "UTC",
            reportingCurrency: .cny,
            accounts: [],
            features: ["scan", "page", "call", "dream"].map { CatalogFeature(feature: Feature(code: $0), name: $0) },
            plans: plans,
            products: []
        )
    }
}
