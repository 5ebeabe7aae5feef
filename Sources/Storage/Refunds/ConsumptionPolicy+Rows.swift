package import Billing
import Postgres

extension ConsumptionPolicy.Sending: PostgresEncodable, PostgresDecodable {}

extension RefundWrites {
    /// The policy by which an app answers consumption requests.
    package func consumptionPolicy(of app: App.ID) async throws -> ConsumptionPolicy {
        try ConsumptionPolicy(try await transaction.query(ConsumptionPolicy.query(of: app)))
    }
}

extension Queries {
    func consumptionPolicy(of app: App.ID) async throws -> ConsumptionPolicy {
        try ConsumptionPolicy(try await reader.query(ConsumptionPolicy.query(of: app)))
    }
}

extension CatalogWrites {
    /// Replaces the rules of an app.
    package func save(consumption policy: ConsumptionPolicy, of app: App.ID) async throws {
        var statements: [Query] = [
            """
            UPDATE apps SET consumption_sending = \(policy.sending), consumption_samples = \(policy.providesSamples)
            WHERE id = \(app)
            """,
            "DELETE FROM consumption_rules WHERE app_id = \(app)",
        ]
        statements += policy.rules.enumerated().map { index, rule in
            """
            INSERT INTO consumption_rules
                (app_id, position, name, plan_code, age_from, age_to, refunds_from, refunds_to, used_percent_from, used_percent_to,
                 refund_preference, consumption_percentage)
            VALUES
                (\(app), \(index + 1, as: Int16.self), \(rule.name), \(rule.plan),
                 \(rule.ageInDays.from.map(Int32.init(clamping:))), \(rule.ageInDays.to.map(Int32.init(clamping:))),
                 \(rule.refunds.from.map(Int32.init(clamping:))), \(rule.refunds.to.map(Int32.init(clamping:))),
                 \(rule.usedPercent.from.map(Int32.init(clamping:))), \(rule.usedPercent.to.map(Int32.init(clamping:))),
                 \(rule.answer), \(rule.consumptionPercentage.map(Int32.init(clamping:))))
            """
        }
        try await transaction.pipeline(statements)
    }
}

extension ConsumptionPolicy {
    /// A row for each rule, and one where there are none.
    static func query(of app: App.ID) -> Query {
        """
        SELECT a.consumption_sending, a.consumption_samples, r.name, r.plan_code, r.age_from, r.age_to, r.refunds_from, r.refunds_to,
            r.used_percent_from, r.used_percent_to, r.refund_preference, r.consumption_percentage
        FROM apps a
        LEFT JOIN consumption_rules r ON r.app_id = a.id
        WHERE a.id = \(app)
        ORDER BY r.position
        """
    }

    init(_ rows: Rows) throws {
        self.init()
        for row in rows {
            var columns = try row.columns(12)
            (sending, providesSamples) = (try columns.next(), try columns.next())
            if let rule = try ConsumptionRule(&columns) { rules.append(rule) }
        }
    }
}

extension ConsumptionRule {
    /// nil of an app without rules.
    fileprivate init?(_ columns: inout RowColumns) throws {
        guard let name: String = try columns.next(String?.self) else { return nil }
        let plan: String? = try columns.next()
        func bounds() throws -> Bounds {
            let (from, to): (Int32?, Int32?) = (try columns.next(), try columns.next())
            return Bounds(from: from.map { Int($0) }, to: to.map { Int($0) })
        }
        let (age, refunds, used) = (try bounds(), try bounds(), try bounds())
        self.init(
            name: name,
            plan: plan,
            ageInDays: age,
            refunds: refunds,
            usedPercent: used,
            answer: try columns.next(),
            consumptionPercentage: try columns.next(Int32?.self).map { Int($0) }
        )
    }
}
