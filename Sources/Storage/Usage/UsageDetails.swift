package import Billing
import Postgres

/// The reserved and the offline part of a customer's usage of a feature, by window.
package struct UsageDetails: Sendable, Hashable {
    package var reserved: [UsageWindow: Int64] = [:]
    package var offline: [UsageWindow: Int64] = [:]
}

extension UsageReads {
    /// By feature; those without either are not there.
    package func details(
        of customer: Customer.ID,
        on today: BusinessDay
    ) async throws -> [FeatureRecord.ID: UsageDetails] {
        let rows = try await reader.pipeline([
            """
            SELECT feature_id, \(Self.sums(of: "quantity", on: today))
            FROM usage_reservations
            WHERE customer_id = \(customer) AND state = 'open'
            GROUP BY feature_id
            """,
            """
            SELECT feature_id, \(Self.sums(of: "offline", on: today))
            FROM usage_days
            WHERE customer_id = \(customer) AND offline > 0
            GROUP BY feature_id
            """,
        ])
        var details: [FeatureRecord.ID: UsageDetails] = [:]
        for (answer, part) in zip(rows, [\UsageDetails.reserved, \UsageDetails.offline]) {
            for row in answer {
                let (feature, day, month, lifetime) = try row.decode(
                    FeatureRecord.ID.self,
                    Int64.self,
                    Int64.self,
                    Int64.self
                )
                details[feature, default: UsageDetails()][keyPath: part] = [
                    .day: day, .month: month, .lifetime: lifetime,
                ]
            }
        }
        return details
    }

    private static func sums(of column: Query, on today: BusinessDay) -> Query {
        let month = ReportingPeriod(.month, containing: today).first
        return """
            coalesce(sum(\(column)) FILTER (WHERE day >= \(today)), 0)::bigint,
            coalesce(sum(\(column)) FILTER (WHERE day >= \(month)), 0)::bigint,
            coalesce(sum(\(column)), 0)::bigint
            """
    }
}
