import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Applying features") struct ApplyFeaturesTests {
    @Test("features, limits, names, benefits and the recommendation are kept, said once, and read back")
    func kept() async throws {
        try await TestOffice.run { office in
            let catalog = try Self.catalog()
            #expect(
                try await office.backOffice.applyCatalog(catalog).changes == [
                    "added feature ai", "added feature books", "added feature export",
                    "changed plan PRO",
                    "added ai to plan FREE, 5 a day",
                    "added ai to plan PRO, 100 a day, 1000 a month",
                    "added books to plan PRO, 10 in all",
                    "added export to plan PRO, unlimited",
                    "changed product com.readmigo.pro.monthly",
                ]
            )
            #expect(try await office.backOffice.applyCatalog(catalog).changes == [])
            let app = try await office.app()
            let stored = try await office.database.read { try await $0.apps.catalog(of: app) }
            #expect(stored.features.map(\.feature) == catalog.features)
            #expect(stored.features.map(\.code) == ["ai", "books", "export"])
            #expect(stored.plans == catalog.plans)
            #expect(stored.products == catalog.products.sorted { $0.id < $1.id })
        }
    }

    @Test("of an app that there is not the catalogue is empty")
    func noApp() async throws {
        try await TestOffice.run { office in
            let nobody = App.ID(UUID())
            let stored = try await office.database.read { try await $0.apps.catalog(of: nobody) }
            #expect(stored == AppCatalog(features: [], plans: [], products: []))
        }
    }

    @Test("a feature that is removed and a limit that is raised are said")
    func removedAndRaised() async throws {
        try await TestOffice.run { office in
            var catalog = try Self.catalog()
            _ = try await office.backOffice.applyCatalog(catalog)
            catalog.features.removeLast()
            catalog.plans[1].features["export"] = nil
            catalog.plans[1].features["ai"] = FeatureLimits(day: 200, month: 1_000)
            let changed = catalog
            #expect(
                try await office.backOffice.applyCatalog(changed).changes == [
                    "changed limits of ai in plan PRO from 100 a day, 1000 a month to 200 a day, 1000 a month",
                    "removed feature export",
                ]
            )
            #expect(try await office.backOffice.applyCatalog(changed).changes == [])
            #expect(try await office.count("features") == 2)
            #expect(try await office.count("plan_features") == 3)
        }
    }

    @Test("a feature that customers have used stays")
    func used() async throws {
        try await TestOffice.run { office in
            var catalog = try Self.catalog()
            _ = try await office.backOffice.applyCatalog(catalog)
            let app = try await office.app()
            let customer = try #require(
                try await office.database.write { transaction in
                    try await transaction.customers.identify(
                        CustomerIdentity(externalID: "u1", isAnonymous: false),
                        of: app
                    )
                }
            )
            _ = try await office.database.writeAlone(
                """
                INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
                SELECT \(customer), id, '2026-01-01', 1, '2026-01-01', 1, 1 FROM features WHERE code = 'export'
                """
            )
            catalog.features.removeLast()
            catalog.plans[1].features["export"] = nil
            let changed = catalog
            let error = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.applyCatalog(changed)
            }
            #expect((error?.code, error?.field) == (.conflict, "features"))
            #expect(try await office.count("features") == 3)
        }
    }

    @Test("a name, the order, and what a plan includes change by themselves")
    func smallChanges() async throws {
        try await TestOffice.run { office in
            let first = try Self.catalog()
            _ = try await office.backOffice.applyCatalog(first)
            var catalog = first
            catalog.features[1].name = "Books to take along"
            catalog.features.swapAt(0, 1)
            catalog.plans[0].features["ai"] = .unlimited
            catalog.plans[1].features["books"] = nil
            catalog.plans.append(
                CatalogPlan(plan: Plan(code: "TEAM", rank: 3), name: "Team", features: ["books": .unlimited])
            )
            let changed = catalog
            #expect(
                try await office.backOffice.applyCatalog(changed).changes == [
                    "changed feature books", "changed the order of features",
                    "added plan TEAM",
                    "changed limits of ai in plan FREE from 5 a day to unlimited",
                    "removed books from plan PRO",
                ]
            )
            #expect(try await office.backOffice.applyCatalog(changed).changes == [])
            // And back, with the plan and its features.
            #expect(
                try await office.backOffice.applyCatalog(first).changes == [
                    "changed feature books", "changed the order of features",
                    "changed limits of ai in plan FREE from unlimited to 5 a day",
                    "added books to plan PRO, 10 in all",
                    "removed plan TEAM",
                ]
            )
            #expect(try await office.count("plan_features") == 4)
        }
    }

    @Test("another product is recommended at once, also instead of one that is removed")
    func recommendation() async throws {
        try await TestOffice.run { office in
            let first = try Self.catalog()
            _ = try await office.backOffice.applyCatalog(first)
            #expect(try await Self.recommended(office) == ["com.readmigo.pro.monthly"])
            var catalog = first
            catalog.products[0].isRecommended = false
            catalog.products[1].isRecommended = true
            let second = catalog
            #expect(
                try await office.backOffice.applyCatalog(second).changes == [
                    "changed product com.readmigo.pro.monthly", "changed product com.readmigo.pro.yearly",
                ]
            )
            #expect(try await Self.recommended(office) == ["com.readmigo.pro.yearly"])
            _ = try await office.backOffice.applyCatalog(first)
            #expect(try await Self.recommended(office) == ["com.readmigo.pro.monthly"])
            catalog = second
            catalog.products.removeFirst()
            let third = catalog
            #expect(
                try await office.backOffice.applyCatalog(third).changes == [
                    "changed product com.readmigo.pro.yearly",
                    "removed product com.readmigo.pro.monthly, which nobody had bought",
                ]
            )
            #expect(try await Self.recommended(office) == ["com.readmigo.pro.yearly"])
        }
    }

    private static func recommended(_ office: TestOffice) async throws -> [String] {
        try await office.lines("SELECT store_product_id FROM products WHERE is_recommended ORDER BY 1")
    }

    /// Returns Readmigo's catalogue with three features.
    private static func catalog() throws -> Catalog {
        var catalog = try Catalog.readmigo()
        catalog.features = ["ai", "books", "export"].map { CatalogFeature(feature: Feature(code: $0), name: $0) }
        catalog.features[0].names = LocalizedText(["en": "ai", "tr": "yapay zekâ"])
        catalog.plans[0].features = ["ai": FeatureLimits(day: 5)]
        catalog.plans[1].names = LocalizedText(["en": "Pro", "zh-Hans": "专业版"])
        catalog.plans[1].benefits = [
            PlanBenefit(LocalizedText(["en": "More", "tr": "Daha çok"]), icon: "infinity"),
            PlanBenefit(LocalizedText(["en": "Books"])),
        ]
        catalog.plans[1].features = [
            "ai": FeatureLimits(day: 100, month: 1_000), "books": FeatureLimits(lifetime: 10), "export": .unlimited,
        ]
        catalog.products[0].names = LocalizedText(["en": "pro.monthly", "tr": "aylık"])
        catalog.products[0].isRecommended = true
        return catalog
    }
}
