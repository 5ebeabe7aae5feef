package import Billing
import Postgres

/// The usage of a feature by all customers of its app in one period (docs/metrics.md, "Usage").
package struct UsageTotal: Sendable, Hashable {
    package var period: ReportingPeriod
    /// The feature's code.
    package var feature: String
    /// In units of the feature, those counted offline with them.
    package var units: Int64
    /// The part of them that was counted offline.
    package var offline: Int64

    package init(period: ReportingPeriod, feature: String, units: Int64, offline: Int64) {
        (self.period, self.feature) = (period, feature)
        (self.units, self.offline) = (units, offline)
    }
}

/// A query for usage totals.
package struct UsageTotalsQuery: Sendable, Hashable {
    /// The code of the only feature; nil for all.
    package var feature: String?
    package var from: BusinessDay
    /// Included.
    package var through: BusinessDay
    package var grain: ReportingPeriod.Grain

    package init(
        feature: String? = nil,
        from: BusinessDay,
        through: BusinessDay,
        grain: ReportingPeriod.Grain
    ) {
        (self.feature, self.from, self.through, self.grain) = (feature, from, through, grain)
    }

    package var periods: [ReportingPeriod] { ReportingPeriod.all(grain, from: from, through: through) }
}

extension UsageReads {
    /// The oldest period first, features in the order of the catalogue; those of which nothing was used are left out.
    package func totals(_ question: UsageTotalsQuery, app: App.ID) async throws -> [UsageTotal] {
        let isWanted: Query = "\(question.feature)::text IS NULL OR code = \(question.feature)"
        let days: Query = "day BETWEEN \(question.from) AND \(question.through)"
        let rows = try await reader.query(
            """
            WITH wanted AS MATERIALIZED (
                SELECT id, code, position
                FROM features
                WHERE app_id = \(app) AND (\(isWanted))
            )
            SELECT begins_on, code, sum(used + offline)::bigint, sum(offline)::bigint
            FROM (
                SELECT \(MetricsReads.period(question.grain)) AS begins_on, code, position, used, offline
                FROM wanted
                JOIN (\(Self.cells(days))) cells ON feature_id = id
            ) counted
            GROUP BY begins_on, position, code
            HAVING sum(used + offline) <> 0
            ORDER BY begins_on, position, code
            """
        )
        return try rows.map { row in
            let (day, feature, units, offline) = try row.decode(BusinessDay.self, String.self, Int64.self, Int64.self)
            return UsageTotal(
                period: ReportingPeriod(question.grain, containing: day)
                    .within(question.from, through: question.through),
                feature: feature,
                units: units,
                offline: offline
            )
        }
    }

    /// The features of an app, in the order of its catalogue.
    package func features(of app: App.ID) async throws -> [CatalogFeature] {
        try await reader.query(FeatureRecord.query(of: app)).map { try FeatureRecord(row: $0).feature }
    }

    /// The number of days and features in which an app's totals differ from its customers' usage.
    package func wrongTotals(of app: App.ID) async throws -> Int {
        let rows = try await reader.query("SELECT count(*) FROM (\(Self.corrections(of: app))) wrong")
        return try rows.first?.decode(0, as: Int.self) ?? 0
    }

    /// The totals, and the entries that wait to be added.
    fileprivate static func cells(_ condition: Query) -> Query {
        """
        SELECT feature_id, day, used, offline
        FROM usage_totals
        WHERE \(condition)
        UNION ALL
        SELECT feature_id, day, used, offline
        FROM usage_entries
        WHERE \(condition)
        """
    }

    /// The entries that are missing. One statement sees usage and its entries as of one moment, so nobody has to stop counting.
    fileprivate static func corrections(of app: App.ID) -> Query {
        let isOfApp: Query = "feature_id IN (SELECT id FROM features WHERE app_id = \(app))"
        return """
            SELECT feature_id, day, sum(used)::bigint AS used, sum(offline)::bigint AS offline
            FROM (
                SELECT feature_id, day, used, offline
                FROM usage_days
                WHERE \(isOfApp)
                UNION ALL
                SELECT feature_id, day, -used, -offline
                FROM (\(cells(isOfApp))) told
            ) compared
            GROUP BY feature_id, day
            HAVING sum(used) <> 0 OR sum(offline) <> 0
            """
    }
}

extension WriteTransaction {
    package var usageTotals: UsageTotalWrites { UsageTotalWrites(transaction: self) }
}

/// Keeps the totals, in which usage is added up by feature and day.
package struct UsageTotalWrites: Sendable {
    let transaction: WriteTransaction

    /// Adds waiting entries into the totals and takes them away. Where another server does so at this moment, nothing.
    ///
    /// - Returns: how many entries there were.
    package func fold() async throws -> Int {
        let isOurs = try await transaction.query("SELECT pg_try_advisory_xact_lock(hashtext('usage totals'))")
        guard try isOurs.first?.decode(0, as: Bool.self) == true else { return 0 }
        let rows = try await transaction.query(
            """
            WITH taken AS (
                DELETE FROM usage_entries
                RETURNING feature_id, day, used, offline
            ), added AS (
                INSERT INTO usage_totals AS t (feature_id, day, used, offline)
                SELECT feature_id, day, sum(used), sum(offline)
                FROM taken
                GROUP BY feature_id, day
                ON CONFLICT (feature_id, day) DO UPDATE
                SET used = t.used + excluded.used, offline = t.offline + excluded.offline
            )
            SELECT count(*) FROM taken
            """
        )
        return try rows.first?.decode(0, as: Int.self) ?? 0
    }

    /// Adds the entries with which an app's totals say what its customers used. Counting goes on meanwhile.
    ///
    /// - Returns: in how many days and features they differed.
    package func mend(_ app: App.ID) async throws -> Int {
        try await transaction.lock("SELECT pg_advisory_xact_lock(hashtext('usage totals'))")
        return try await transaction.query(
            "INSERT INTO usage_entries (feature_id, day, used, offline) \(UsageReads.corrections(of: app))"
        ).affectedRows
    }
}
