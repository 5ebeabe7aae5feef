package import Billing
import Postgres

/// What an app lets its staff do for customers, and the plans they can give.
package struct SupportPolicy: Sendable {
    /// How many days ahead support may give to one customer.
    package var supportGrantLimitDays: Int
    /// From how many customers on, of all that one person starts in a day, a bulk job needs a second person.
    package var bulkApprovalFrom: Int
    /// By rank.
    package var plans: [NamedPlan]

    package struct NamedPlan: Sendable, Hashable {
        package var id: Identifier<Plan>
        package var plan: Plan
        package var name: String
    }

    /// The plan of that code; nil when the app has none.
    package func plan(_ code: String) -> NamedPlan? {
        plans.first { $0.plan.code == code }
    }

    static func query(of app: App.ID) -> Query {
        """
        SELECT a.support_grant_limit_days, a.bulk_approval_from, p.id, p.code, p.name, p.rank
        FROM apps a
        LEFT JOIN plans p ON p.app_id = a.id
        WHERE a.id = \(app)
        ORDER BY p.rank
        """
    }

    init?(_ rows: Rows) throws {
        guard let first = rows.first else { return nil }
        supportGrantLimitDays = Int(try first.decode(0, as: Int32.self))
        bulkApprovalFrom = Int(try first.decode(1, as: Int32.self))
        plans = try rows.compactMap { row in
            guard let id = try row.decode(2, as: Identifier<Plan>?.self) else { return nil }
            return NamedPlan(
                id: id,
                plan: Plan(code: try row.decode(3), rank: Int(try row.decode(5, as: Int32.self))),
                name: try row.decode(4)
            )
        }
    }
}

extension EntitlementSourceReads {
    /// nil when there is no such app.
    package func settings(of app: App.ID) async throws -> SupportPolicy? {
        try SupportPolicy(try await reader.query(SupportPolicy.query(of: app)))
    }
}

extension EntitlementSourceWrites {
    package func settings(of app: App.ID) async throws -> SupportPolicy? {
        try SupportPolicy(try await transaction.query(SupportPolicy.query(of: app)))
    }
}
