package import Billing
import Postgres

extension Reader {
    package var usage: UsageReads { UsageReads(reader: self) }
}

/// What features there are, and how much of them a customer has used.
package struct UsageReads: Sendable {
    let reader: Reader

    /// nil where the app has none of this code.
    package func feature(_ code: String, of app: App.ID) async throws -> CountedFeature? {
        let rows = try await reader.query(
            """
            \(Self.selection)
            WHERE f.app_id = \(app) AND f.code = \(code)
            ORDER BY p.rank
            """
        )
        return try Self.features(in: rows).first
    }

    /// All of an app, in the order of its catalogue.
    package func features(of app: App.ID) async throws -> [CountedFeature] {
        let rows = try await reader.query(
            """
            \(Self.selection)
            WHERE f.app_id = \(app)
            ORDER BY f.position, f.code, p.rank
            """
        )
        return try Self.features(in: rows)
    }

    /// By feature; those of which nothing was ever counted are not there.
    package func counters(of customer: Customer.ID) async throws -> [CountedFeature.ID: UsageCounter] {
        let rows = try await reader.query(
            """
            SELECT feature_id, \(UsageCounter.columns)
            FROM usage_counters
            WHERE customer_id = \(customer)
            """
        )
        var counters: [CountedFeature.ID: UsageCounter] = [:]
        for row in rows {
            var columns = try row.columns(6)
            let feature: CountedFeature.ID = try columns.next()
            counters[feature] = try UsageCounter(&columns)
        }
        return counters
    }

    /// nil where nothing was ever counted.
    package func counter(of customer: Customer.ID, _ feature: CountedFeature.ID) async throws -> UsageCounter? {
        try await reader.query(UsageCounter.query(of: customer, feature)).first.map(UsageCounter.init(row:))
    }

    private static let selection: Query = """
        SELECT f.id, f.code, p.code, x.per_day, x.per_month, x.lifetime
        FROM features f
        LEFT JOIN plan_features x ON x.feature_id = f.id
        LEFT JOIN plans p ON p.id = x.plan_id
        """

    /// One row for each plan of each feature.
    private static func features(in rows: Rows) throws -> [CountedFeature] {
        var features: [CountedFeature] = []
        for row in rows {
            let (id, code, plan, day, month, lifetime) = try row.decode(
                CountedFeature.ID.self,
                String.self,
                String?.self,
                Int64?.self,
                Int64?.self,
                Int64?.self
            )
            var feature = CountedFeature(id: id, code: code, plans: [])
            if let last = features.last, last.id == id {
                feature = last
                features.removeLast()
            }
            if let plan {
                let limits = FeatureLimits(day: day, month: month, lifetime: lifetime)
                feature.plans.append(CountedFeature.PlanLimits(plan: plan, limits: limits))
            }
            features.append(feature)
        }
        return features
    }
}

extension UsageCounter {
    static let columns: Query = "day, day_used, month, month_used, lifetime_used"

    static func query(of customer: Customer.ID, _ feature: CountedFeature.ID) -> Query {
        """
        SELECT \(columns)
        FROM usage_counters
        WHERE customer_id = \(customer) AND feature_id = \(feature)
        """
    }

    init(row: Row) throws {
        var columns = try row.columns(5)
        try self.init(&columns)
    }

    fileprivate init(_ columns: inout RowColumns) throws {
        self.init(
            day: try columns.next(),
            dayUsed: try columns.next(),
            month: try columns.next(),
            monthUsed: try columns.next(),
            lifetimeUsed: try columns.next()
        )
    }
}
