import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Entitlements on every server") struct EntitlementReadsTests {
    @Test("what one server has answered for a thousand changes, another shows at once each time")
    func anotherServer() async throws {
        try await TestOffice.run { office in
            let other = office.anotherServer()
            let app = try await office.app()
            let sessions = try await Self.sessions(20, office)
            for round in 0..<50 {
                for session in sessions {
                    let plan = round.isMultiple(of: 2) ? "PREMIUM" : "PRO"
                    let (writer, reader) =
                        round.isMultiple(of: 3) ? (other, office.backOffice) : (office.backOffice, other)
                    try await Self.give(plan, to: session.customer, app, by: writer)
                    let current = try #require(
                        try await reader.database.readPrimary { try await $0.customerSession(session.id) }
                    )
                    let usage = try await reader.usage(for: current)
                    #expect(usage.plan == plan)
                }
            }
        }
    }

    @Test("a plan that includes more does so at the next read on every server, and counters are as they were")
    func catalogue() async throws {
        try await UsageOffice.run { office in
            let other = office.office.anotherServer()
            try await office.count("scan", 7)
            var catalog = try Catalog.readmigo()
            catalog.features.append(CatalogFeature(feature: Feature(code: "scan"), name: "Scans"))
            for index in catalog.plans.indices { catalog.plans[index].features["scan"] = FeatureLimits(day: 500) }
            _ = try await other.applyCatalog(catalog)
            for server in [office.backOffice, other] {
                let usage = try await server.usage(for: try await office.current())
                let scans = try #require(usage.features.first { $0.feature == "scan" })
                #expect(scans.usage.tightest?.limit == 500)
                #expect(scans.usage.tightest?.used == 7)
            }
        }
    }

    private static func sessions(_ count: Int, _ office: TestOffice) async throws -> [CustomerSession] {
        var sessions: [CustomerSession] = []
        for number in 0..<count { sessions.append(try await UsageOffice.session("reader-\(number)", office)) }
        return sessions
    }

    /// Ends all access, and grants a plan.
    private static func give(
        _ plan: String,
        to customer: Customer.ID,
        _ app: App.ID,
        by office: BackOffice
    ) async throws {
        try await office.database.write { transaction in
            try await transaction.query(
                "UPDATE grants SET ended_at = \(transaction.now) WHERE customer_id = \(customer) AND ended_at IS NULL"
            )
            try await transaction.query(
                """
                INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, created_at, updated_at)
                SELECT gen_random_uuid(), app_id, \(customer), id, 'complimentary', \(transaction.now), \(transaction.now), \(transaction.now)
                FROM plans
                WHERE app_id = \(app) AND code = \(plan)
                """
            )
        }
    }
}
