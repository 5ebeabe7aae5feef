package import Billing
import Foundation
import Postgres

extension CatalogPlan {
    /// Of `plans p`.
    static let columns: Query = """
        p.code, p.rank, p.name, p.names, p.benefits,
            (SELECT coalesce(jsonb_object_agg(f.code,
                jsonb_build_object('day', i.per_day, 'month', i.per_month, 'lifetime', i.lifetime)), '{}')
             FROM plan_features i
             JOIN features f ON f.id = i.feature_id
             WHERE i.plan_id = p.id)
        """
    static let columnCount = 6

    /// By rank.
    static func query(of app: App.ID) -> Query {
        """
        SELECT \(columns)
        FROM plans p
        WHERE p.app_id = \(app)
        ORDER BY p.rank
        """
    }

    /// - Parameter row: the next of it are `columns`.
    init(_ row: inout RowColumns) throws {
        let code: String = try row.next()
        let rank: Int32 = try row.next()
        let name: String = try row.next()
        let names: LocalizedText = try row.next()
        let benefits: JSONText = try row.next()
        let features: JSONText = try row.next()
        self.init(
            plan: Plan(code: code, rank: Int(rank)),  // safe: from 32 bits
            name: name,
            names: names,
            benefits: try PlanBenefit.list(benefits),
            features: try JSONDecoder().decode([String: FeatureLimits].self, from: Data(features.bytes))
        )
    }
}

extension CatalogWrites {
    /// Replaces what a plan includes.
    package func save(features: [FeatureRecord.ID: FeatureLimits], of plan: Identifier<Plan>) async throws {
        var statements: [Query] = ["DELETE FROM plan_features WHERE plan_id = \(plan)"]
        statements += features.map { feature, limits in
            """
            INSERT INTO plan_features (plan_id, feature_id, per_day, per_month, lifetime)
            VALUES (\(plan), \(feature), \(limits.day), \(limits.month), \(limits.lifetime))
            """
        }
        try await transaction.pipeline(statements)
    }
}
