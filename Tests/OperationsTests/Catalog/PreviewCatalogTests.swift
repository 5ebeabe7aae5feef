import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("The preview of a catalogue") struct PreviewCatalogTests {
    @Test("it says who gains and who loses what, as the answers of now have it, and changes nothing")
    func preview() async throws {
        try await UsageOffice.run { office in
            let (stored, changed) = try await Self.catalogs(office)
            try await office.give("PRO")
            _ = try await office.office.customer("u2")
            _ = try await office.office.customer("u3")
            try await office.count("scan", 7)
            let before = try await Self.everything(office)
            let preview = try await office.backOffice.previewCatalog(changed)
            #expect(preview.rejectionReason == nil)
            #expect(
                preview.changes == [
                    "changed limits of scan in plan FREE from 100 a day to 3 a day",
                    "changed limits of scan in plan PRO from 1000 a day to unlimited", "removed call from plan PRO",
                ]
            )
            let told = preview.effects.map { "\($0.kind) \($0.plan) \($0.feature ?? "-") \($0.customers)" }
            #expect(told == ["limitLowered FREE scan 2", "limitRaised PRO scan 1", "featureLost PRO call 1"])
            #expect(preview.lines.contains("plan FREE gets less of scan, 3 a day instead of 100 a day: 2 customers"))
            #expect(try await Self.everything(office) == before)
            #expect(try await office.backOffice.previewCatalog(stored).effects == [])
        }
    }

    @Test("what would be refused is named, with the subscriptions that renew")
    func refused() async throws {
        try await UsageOffice.run { office in
            var catalog = try await Self.catalogs(office).stored
            _ = try await office.office.pool.query(
                """
                INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state, product_id,
                    period_starts_at, period_ends_at, renews_automatically, created_at, updated_at)
                SELECT gen_random_uuid(), p.app_id, \(office.session.customer), 'apple', 'production', '1', 'active', p.id,
                    \(TestOffice.start), \(TestOffice.start.addingTimeInterval(86_400)), true, now(), now()
                FROM products p
                WHERE p.store_product_id = 'com.readmigo.pro.monthly'
                """
            )
            catalog.products.removeAll { $0.id == "com.readmigo.pro.monthly" }
            let preview = try await office.backOffice.previewCatalog(catalog)
            #expect(
                preview.rejectionReason
                    == "products cannot change: com.readmigo.pro.monthly was bought already and has to stay."
            )
            #expect(preview.changes == [])
            #expect(preview.effects.map(\.kind) == [.productRemoved])
            #expect(preview.effects.first?.customers == 1)
        }
    }

    @Test("what is applied on one server is in the next answer of another, and no counter is touched")
    func applied() async throws {
        try await UsageOffice.run { office in
            let changed = try await Self.catalogs(office).changed
            let other = office.office.anotherServer()
            try await office.count("scan", 7)
            #expect(try await Self.limit(of: "scan", other, office) == 100)
            let counters = try await office.counters()
            _ = try await office.backOffice.applyCatalog(changed)
            for backOffice in [office.backOffice, other] {
                #expect(try await Self.limit(of: "scan", backOffice, office) == 3)
            }
            #expect(try await office.counters() == counters)
            let session = try await Self.renewed(office)
            let error = await #expect(throws: OperationsError.self) { try await other.count("scan", for: session) }
            #expect(error?.underlying is UsageRefusal)
            #expect(try await office.counters() == counters)
        }
    }

    /// Returns the stored catalogue, and a changed one: FREE and PRO have another limit, and PRO loses a feature.
    private static func catalogs(_ office: UsageOffice) async throws -> (stored: Catalog, changed: Catalog) {
        // The features of the office are rows that no catalogue named; the anchors are the simulated store's.
        var stored = try Catalog.readmigo()
        stored.features = ["scan", "call", "page", "dream"].map { code in
            CatalogFeature(feature: Feature(code: code), name: code)
        }
        stored.plans[0].features = ["scan": FeatureLimits(day: 100), "page": FeatureLimits(lifetime: 3)]
        stored.plans[1].features = ["scan": FeatureLimits(day: 1_000), "call": FeatureLimits(day: 10, month: 30)]
        stored.plans[2].features = ["call": .unlimited]
        _ = try await office.backOffice.applyCatalog(stored)
        var changed = stored
        changed.plans[0].features["scan"] = FeatureLimits(day: 3)
        changed.plans[1].features["scan"] = .unlimited
        changed.plans[1].features["call"] = nil
        return (stored, changed)
    }

    private static func limit(
        of feature: String,
        _ backOffice: BackOffice,
        _ office: UsageOffice
    ) async throws -> Int64? {
        let usage = try await backOffice.usage(for: try await renewed(office))
        return usage.features.first { $0.feature == feature }?.usage.tightest?.limit
    }

    /// Returns the session as the next call finds it.
    private static func renewed(_ office: UsageOffice) async throws -> CustomerSession {
        let id = office.session.id
        return try #require(try await office.office.database.readPrimary { try await $0.customerSession(id) })
    }

    private static func everything(_ office: UsageOffice) async throws -> [String] {
        try await office.office.lines("SELECT catalog_version::text FROM apps WHERE slug = 'readmigo'")
            + office.office.lines("SELECT p::text FROM plan_features p ORDER BY 1") + office.counters()
    }
}
