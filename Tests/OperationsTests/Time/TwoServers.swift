import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport

/// Two servers of one installation: one clock is 2 s ahead, the other 2 s behind. The database's is right.
struct TwoServers: Sendable {
    let office: TestOffice
    let app: App.ID
    let admin: Caller
    let ahead: BackOffice
    let behind: BackOffice

    /// - Parameter givesTrial: true if the app gives seven days of PRO; else it has features to count.
    static func run(givesTrial: Bool = false, _ body: (TwoServers) async throws -> Void) async throws {
        guard givesTrial else { return try await UsageOffice.run { try await body(TwoServers($0.office)) } }
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.trial = TrialOffer(plan: "PRO", period: BillingPeriod(7, .day), products: [])
            _ = try await office.backOffice.applyCatalog(catalog)
            try await body(TwoServers(office))
        }
    }

    private init(_ office: TestOffice) async throws {
        self.office = office
        app = try await office.app()
        admin = try await office.staff("ada@example.com", .admin)
        (ahead, behind) = (Self.server(of: office, ahead: 2), Self.server(of: office, ahead: -2))
    }

    private static func server(of office: TestOffice, ahead seconds: TimeInterval) -> BackOffice {
        BackOffice(
            database: Database(
                writing: office.pool,
                reading: office.pool,
                own: { Date() + seconds },
                doorTimeout: .patient
            ),
            inbox: office.inbox,
            logger: .quiet,
            cipher: FieldCipher(secret: Array(TestOffice.secret.utf8)),
            passwordCost: .ofTests
        )
    }

    /// Returns the sessions of new customers.
    func customers(_ name: String, _ count: Int) async throws -> [CustomerSession] {
        var sessions: [CustomerSession] = []
        for number in 0..<count { sessions.append(try await UsageOffice.session("\(name) \(number)", office)) }
        return sessions
    }

    /// Returns the codes of a new batch, each for PRO.
    func codes(days: Int, _ count: Int) async throws -> [String] {
        let wanted = try NewPromoBatch(
            name: "Spring fair",
            channel: "fair",
            plan: "PRO",
            days: "\(days)",
            codes: "\(count)",
            usesPerCustomer: "2",
            now: Date()
        )
        let outcome = try await ahead.makePromoBatch(wanted, of: app, key: nil, caller: admin)
        guard let batch = PromoBatch.ID(outcome.result) else { return [] }
        return try await ahead.promoCodes(of: batch, after: 0, limit: count).map(\.code.grouped)
    }

    /// Acts on both servers for a customer who stays locked until both wait.
    func atOnce<Value: Sendable>(
        for session: CustomerSession,
        _ one: @escaping @Sendable (BackOffice) async throws -> Value,
        and other: @escaping @Sendable (BackOffice) async throws -> Value
    ) async throws -> (Value, Value) {
        let (left, right) = try await office.pool.withTransaction { connection in
            _ = try await connection.query("SELECT FROM customers WHERE id = \(session.customer) FOR UPDATE")
            let tasks = (Task { try await one(ahead) }, Task { try await other(behind) })
            let deadline = ContinuousClock.now + .patient
            while try await waiting() < 2, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(2))
            }
            return tasks
        }
        return (try await left.value, try await right.value)
    }

    private func waiting() async throws -> Int {
        try await office.pool.query(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )[0].decode(0, as: Int.self)
    }
}

extension BackOffice {
    func redeem(_ code: String, for session: CustomerSession) async throws -> PromoRedemptionAnswer {
        try await redeemPromoCode(
            code,
            for: session,
            caller: Caller(.customer(session.customer), actor: "customer", address: "192.0.2.1")
        )
    }

    func countScan(for session: CustomerSession, key: String) async throws -> UsageAnswer {
        try await count("scan", key: try IdempotencyKey(key, of: session.customer.uuid, for: ["scan"]), for: session)
    }
}
