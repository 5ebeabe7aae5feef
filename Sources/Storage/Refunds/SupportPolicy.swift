package import Billing
import Postgres

/// The limits of staff's actions in an app, and the plans that they can grant.
package struct SupportPolicy: Sendable {
    /// The number of days ahead up to which support may grant access to one customer.
    package var supportGrantLimitDays: Int
    /// From this number of customers in one person's jobs of a day, a bulk job needs a second person's approval.
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

    /// The plan that everybody has; nil for an app without plans.
    package var basePlan: NamedPlan? { plans.first { $0.plan.rank == 0 } }

    static func query(of app: App.ID) -> Query {
        """
        SELECT a.support_grant_limit_days, a.bulk_approval_from, p.id, p.code, p.rank, p.name
        FROM apps a
        LEFT JOIN plans p ON p.app_id = a.id
        WHERE a.id = \(app)
        ORDER BY p.rank
        """
    }

    init?(_ rows: Rows) throws {
        guard var first = try rows.first?.columns(6) else { return nil }
        (supportGrantLimitDays, bulkApprovalFrom) = (try first.next(), try first.next())
        plans = try rows.compactMap { row in
            let (_, _, id, code, rank, name) = try row.decode(
                Int.self,
                Int.self,
                Identifier<Plan>?.self,
                String?.self,
                Int?.self,
                String?.self
            )
            guard let id, let code, let rank, let name else { return nil }
            return NamedPlan(id: id, plan: Plan(code: code, rank: rank), name: name)
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
