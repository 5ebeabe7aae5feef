import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

/// An office whose app has features with limits, and one of its customers. A `scan` is limited to 100 a day on FREE and to 1,000 on
/// PRO, a `call` to 10 a day and 30 a month on PRO alone, a `page` to 3 for good on FREE, and a `dream` is in no plan.
struct UsageOffice: Sendable {
    let office: TestOffice
    /// The session as it began.
    let session: CustomerSession

    var backOffice: BackOffice { office.backOffice }
    var clock: TestClock { office.clock }

    static func run(_ body: (UsageOffice) async throws -> Void) async throws {
        try await TestOffice.run { office in
            try await office.pool.withConnection { try await $0.execute(script: features) }
            try await body(UsageOffice(office: office, session: try await session("u1", office)))
        }
    }

    static func session(_ name: String, _ office: TestOffice) async throws -> CustomerSession {
        let (app, customer) = (try await office.app(), try await office.customer(name))
        let id = try await office.database.write { transaction in
            try await transaction.customerSessions.begin(
                .minted,
                for: customer,
                of: app,
                until: transaction.now.addingTimeInterval(400 * 86_400)
            )
        }
        return try #require(try await office.database.readPrimary { try await $0.customerSession(id) })
    }

    @discardableResult
    func count(
        _ feature: String,
        _ quantity: Int64 = 1,
        at occurredAt: Date? = nil,
        key: String? = nil
    ) async throws -> UsageAnswer {
        let (asked, current) = ([feature, "\(quantity)"], try await current())
        return try await backOffice.count(
            feature,
            quantity: quantity,
            occurredAt: occurredAt,
            key: try key.map { try IdempotencyKey($0, of: current.customer.uuid, for: asked) },
            for: current
        )
    }

    /// Returns the session as a request now reads it.
    func current() async throws -> CustomerSession {
        try #require(try await office.database.readPrimary { try await $0.customerSession(session.id) })
    }

    /// Returns the error of a count that is refused.
    func refusal(
        _ feature: String,
        _ quantity: Int64 = 1,
        at occurredAt: Date? = nil,
        key: String? = nil
    ) async -> OperationsError? {
        await #expect(throws: OperationsError.self) {
            try await count(feature, quantity, at: occurredAt, key: key)
        }
    }

    /// Returns the counters as `day month lifetime`.
    func counters() async throws -> [String] {
        try await office.lines(
            "SELECT concat_ws(' ', day_used, month_used, lifetime_used) FROM usage_counters ORDER BY customer_id, feature_id"
        )
    }

    /// Returns the days as `day used offline`.
    func days() async throws -> [String] {
        try await office.lines("SELECT concat_ws(' ', day, used, offline) FROM usage_days ORDER BY day")
    }

    func give(_ plan: String) async throws {
        _ = try await office.pool.query(
            """
            INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, created_at, updated_at)
            SELECT gen_random_uuid(), p.app_id, \(session.customer), p.id, 'complimentary', \(clock.read()),
                \(clock.read().addingTimeInterval(90 * 86_400)), now(), now()
            FROM plans p
            WHERE p.app_id = \(session.app) AND p.code = \(plan)
            """
        )
    }

    private static let features = """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), a.id, f.code, f.code, '{}', f.position
        FROM apps a, (VALUES ('scan', 100), ('call', 101), ('page', 102), ('dream', 103)) AS f (code, position)
        WHERE a.slug = 'readmigo';
        INSERT INTO plan_features (plan_id, feature_id, per_day, per_month, lifetime)
        SELECT p.id, f.id, x.per_day, x.per_month, x.lifetime
        FROM (VALUES ('FREE', 'scan', 100, NULL::bigint, NULL::bigint), ('PRO', 'scan', 1000, NULL, NULL),
            ('PRO', 'call', 10, 30, NULL), ('PREMIUM', 'call', NULL, NULL, NULL), ('FREE', 'page', NULL, NULL, 3))
            AS x (plan, feature, per_day, per_month, lifetime)
        JOIN apps a ON a.slug = 'readmigo'
        JOIN plans p ON p.app_id = a.id AND p.code = x.plan
        JOIN features f ON f.app_id = a.id AND f.code = x.feature;
        """
}
