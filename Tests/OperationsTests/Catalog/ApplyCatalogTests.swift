import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Applying a catalogue") struct ApplyCatalogTests {
    @Test("a second time changes nothing, not even a row's date")
    func idempotent() async throws {
        try await TestOffice.run { office in
            let before = try await Self.rows(office)
            office.clock.advance(by: 3_600)
            #expect(try await office.backOffice.applyCatalog(try .readmigo()).changes == [])
            var turned = try Catalog.readmigo()
            turned.products.reverse()
            turned.plans.reverse()
            #expect(try await office.backOffice.applyCatalog(turned).changes == [])
            #expect(try await Self.rows(office) == before)
        }
    }

    @Test("what differs is made so, and said")
    func changes() async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.name = "Readmigo Two"
            // Two plans swap their ranks.
            catalog.plans[1].plan = Plan(code: "PRO", rank: 2)
            catalog.plans[2].plan = Plan(code: "PREMIUM", rank: 1)
            catalog.plans.append(CatalogPlan(plan: Plan(code: "TEAM", rank: 3), name: "Team"))
            catalog.products[0].prices = [.yuan(20)]
            catalog.products[1].name = "Pro by the year"
            catalog.products.removeLast()
            catalog.products.append(Catalog.product("team", "TEAM", nil, 500))
            #expect(
                try await office.backOffice.applyCatalog(catalog).changes == [
                    "changed app readmigo", "changed plan PRO", "changed plan PREMIUM", "added plan TEAM",
                    "changed product com.readmigo.pro.monthly", "changed product com.readmigo.pro.yearly",
                    "added product com.readmigo.team",
                    "removed product com.readmigo.premium.yearly, which nobody had bought",
                ]
            )
            #expect(try await office.backOffice.applyCatalog(catalog).changes == [])
            let first = try Catalog.readmigo()
            #expect(try await office.backOffice.applyCatalog(first).changes.last == "removed plan TEAM")
            #expect(try await office.backOffice.applyCatalog(first).changes == [])
        }
    }

    @Test("the time zone cannot change once there is a customer, whose days are counted by it")
    func zone() async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.timeZone = "Europe/Istanbul"
            #expect(try await office.backOffice.applyCatalog(catalog).changes == ["changed app readmigo"])
            _ = try await office.pool.query(
                """
                INSERT INTO customers (id, app_id, key, created_at)
                SELECT gen_random_uuid(), id, 'ada', now() FROM apps WHERE slug = 'readmigo'
                """
            )
            catalog.timeZone = "Asia/Shanghai"
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.applyCatalog(catalog)
            }
            #expect(error?.code == .conflict && error?.field == "timeZone")
        }
    }

    @Test("an app's own rate limits are kept, said, known at once, and the installation's again without a line")
    func rateLimits() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            func known() async -> [RateLimitPolicy: RateLimit] { await office.backOffice.apps.rateLimits(of: app) }
            #expect(await known() == [:])
            var catalog = try Catalog.readmigo()
            catalog.rateLimits = [.session: RateLimit(checked: 2, 20), .key: RateLimit(checked: 1_000_000, 86_400)]
            #expect(try await office.backOffice.applyCatalog(catalog).changes == ["changed rate limits"])
            #expect(try await office.backOffice.applyCatalog(catalog).changes == [])
            #expect(await known() == catalog.rateLimits)
            catalog.rateLimits = [.session: RateLimit(checked: 3, 20)]
            #expect(try await office.backOffice.applyCatalog(catalog).changes == ["changed rate limits"])
            #expect(await known() == catalog.rateLimits)
            #expect(try await office.backOffice.applyCatalog(try .readmigo()).changes == ["changed rate limits"])
            #expect(await known() == [:])
            #expect(try await office.count("app_rate_limits") == 0)
        }
    }

    @Test("a product's credits are kept, said, and another number before it is sold")
    func credits() async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.features = [CatalogFeature(feature: Feature(code: "ai"), name: "AI")]
            catalog.products[0].credits = ["ai": 5]
            let changes = ["added feature ai", "changed product com.readmigo.pro.monthly"]
            #expect(try await office.backOffice.applyCatalog(catalog).changes == changes)
            #expect(try await office.backOffice.applyCatalog(catalog).changes == [])
            catalog.products[0].credits = ["ai": 500]
            #expect(try await office.backOffice.applyCatalog(catalog).changes == Array(changes.dropFirst()))
            #expect(try await office.lines("SELECT amount::text FROM product_credits") == ["500"])
            _ = try await office.backOffice.applyCatalog(try .readmigo())
            #expect(try await office.count("product_credits") == 0)
        }
    }

    @Test("what a store keeps is changed, said, used by the proceeds, and its usual share again without a line")
    func fees() async throws {
        try await TestOffice.run { office in
            _ = try await office.buyer()
            let app = try await office.app()
            func proceeds() async throws -> Int64? {
                let question = RevenueQuery(
                    filter: MetricsFilter(),
                    from: BusinessDay(number: 0),
                    through: BusinessDay(number: 40_000),
                    grain: .month
                )
                return try await office.database.read { try await $0.metrics.total(question, app: app) }[.cny]?.proceeds
            }
            #expect(try await proceeds() == 1_260)
            var catalog = try Catalog.readmigo()
            catalog.fees = [.apple: StoreFee(firstYear: 1_250, later: 1_005)]
            #expect(
                try await office.backOffice.applyCatalog(catalog).changes == [
                    "changed fees of apple from 30 %, after a year 15 % to 12.5 %, after a year 10.05 %"
                ]
            )
            #expect(try await office.backOffice.applyCatalog(catalog).changes == [])
            #expect(try await proceeds() == 1_575)
            #expect(
                try await office.backOffice.applyCatalog(try .readmigo()).changes == [
                    "changed fees of apple from 12.5 %, after a year 10.05 % to 30 %, after a year 15 %"
                ]
            )
            #expect(try await proceeds() == 1_260)
        }
    }

    @Test("two who apply at once end with one app", .timeLimit(.minutes(10)))
    func together() async throws {
        try await TestOffice.run { office in
            var other = try Catalog.readmigo()
            other.app = "other"
            other.accounts = [:]
            let catalog = other
            let reports = try await withThrowingTaskGroup(of: CatalogReport.self) { group in
                for _ in 0..<8 { group.addTask { try await office.backOffice.applyCatalog(catalog) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(reports.count { !$0.changes.isEmpty } == 1)
            #expect(try await office.count("apps") == 2)
            #expect(try await office.count("products") == 8)
        }
    }

    @Test("what rows depend on does not change, and nothing else does then", arguments: Conflict.all)
    func conflicts(_ conflict: Conflict) async throws {
        try await TestOffice.run { office in
            try await office.live(.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)))
            let before = try await Self.rows(office)
            var catalog = try Catalog.readmigo()
            catalog.name = "Another"
            conflict.change(&catalog)
            let changed = catalog
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.applyCatalog(changed)
            }
            #expect(error?.code == .conflict)
            #expect(error?.field == conflict.field)
            #expect(error?.message == conflict.message)
            #expect(try await Self.rows(office) == before)
        }
    }

    @Test("before anything is sold, all of that may change")
    func free() async throws {
        try await TestOffice.run { office in
            for conflict in Conflict.all {
                var catalog = try Catalog.readmigo()
                conflict.change(&catalog)
                #expect(try await office.backOffice.applyCatalog(catalog).changes != [], "\(conflict.field)")
            }
        }
    }

    @Test("a bundle id belongs to one app")
    func bundleTaken() async throws {
        try await TestOffice.run { office in
            var other = try Catalog.readmigo()
            other.app = "other"
            let catalog = other
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.applyCatalog(catalog)
            }
            #expect(error?.code == .conflict)
            #expect(error?.field == "apple.bundleId")
            #expect(error?.message.contains("readmigo sells under com.readmigo.app") == true)
            #expect(try await office.count("apps") == 1)
        }
    }

    @Test("an anchor that is no certificate is refused, so that the intake goes on")
    func badAnchor() async throws {
        try await TestOffice.run { office in
            for isSimulated in [true, false] {
                var catalog = try Catalog.readmigo()
                catalog.accounts[.apple]?.isSimulated = isSimulated
                catalog.accounts[.apple]?.anchors = [Array("not a certificate".utf8)]
                let changed = catalog
                let error = await #expect(throws: OperationsError.self) {
                    try await office.backOffice.applyCatalog(changed)
                }
                #expect(error?.code == .invalid)
                #expect(error?.field == "apple.anchors")
            }
            #expect(try await office.backOffice.applyCatalog(try .readmigo()).changes == [])
        }
    }

    /// A change that past sales forbid.
    struct Conflict: Sendable, CustomTestStringConvertible {
        let field: String
        let message: String
        let change: @Sendable (inout Catalog) -> Void

        var testDescription: String { message }

        static let all = [
            Conflict(
                field: "timeZone",
                message: "timeZone cannot change: customers are here, whose days are counted by Asia/Shanghai already."
            ) { $0.timeZone = "UTC" },
            Conflict(
                field: "apple.bundleId",
                message: "apple.bundleId cannot change: notifications of com.readmigo.app are here already."
            ) { $0.accounts[.apple]?.identifier = "com.example" },
            Conflict(
                field: "apple.bundleId",
                message: "apple.bundleId cannot change: notifications of com.readmigo.app are here already."
            ) { $0.accounts = [:] },
            Conflict(
                field: "apple.environment",
                message:
                    "apple.environment cannot change: notifications of the simulator are here already; the other kind "
                    + "belongs into an app of its own."
            ) {
                $0.accounts[.apple]?.isSimulated = false
                $0.accounts[.apple]?.anchors = []
            },
            Conflict(
                field: "products[0].plan",
                message:
                    "products[0].plan cannot change: com.readmigo.pro.monthly was sold as PRO already; sell another "
                    + "product instead."
            ) { $0.products[0].plan = "PREMIUM" },
            Conflict(
                field: "products[0].period",
                message: "products[0].period cannot change: com.readmigo.pro.monthly was sold already; sell another "
                    + "product instead."
            ) { $0.products[0].period = BillingPeriod(3, .month) },
            Conflict(
                field: "products[0].credits",
                message: "products[0].credits cannot change: com.readmigo.pro.monthly was sold already; sell another "
                    + "product instead."
            ) { catalog in
                catalog.features = [CatalogFeature(feature: Feature(code: "ai"), name: "AI")]
                catalog.products[0].credits = ["ai": 5]
            },
            Conflict(
                field: "products",
                message: "products cannot change: com.readmigo.pro.monthly was bought already and has to stay."
            ) { $0.products.removeFirst() },
        ]
    }

    private static func rows(_ office: TestOffice) async throws -> [String] {
        try await office.lines(
            """
            SELECT to_jsonb(a)::text FROM apps a
            UNION ALL SELECT to_jsonb(a)::text FROM store_anchors a
            UNION ALL SELECT to_jsonb(a)::text FROM store_accounts a
            UNION ALL SELECT to_jsonb(p)::text FROM plans p
            UNION ALL SELECT to_jsonb(p)::text FROM products p
            UNION ALL SELECT to_jsonb(p)::text FROM product_prices p
            ORDER BY 1
            """
        )
    }
}
