package import Billing
package import Foundation
import Postgres

/// The facts that a customer's app reported with its last call.
package struct CustomerActivity: Sendable, Hashable {
    package var lastSeenAt: Date
    /// The first language that it asked for (BCP 47).
    package var locale: String?
    package var platform: Platform?
    /// As the app spells it: `2.3.1`, or a build's number.
    package var appVersion: String?

    /// The database keeps the raw values.
    package enum Platform: String, Sendable, CaseIterable {
        case ios
        case macos
        case android
        case web
    }

    package init(lastSeenAt: Date, locale: String? = nil, platform: Platform? = nil, appVersion: String? = nil) {
        self.lastSeenAt = lastSeenAt
        self.locale = locale
        self.platform = platform
        self.appVersion = appVersion
    }

    /// The time, in seconds, after which a call alone is worth a write of `lastSeenAt`.
    package static let grain: TimeInterval = 3_600
}

extension CustomerActivity.Platform: PostgresEncodable, PostgresDecodable {}

extension Database {
    /// Keeps when customers were seen, and how, in one statement. Who has become another is seen as that one; what is known from
    /// later stays.
    package func note(_ activities: [Customer.ID: CustomerActivity]) async throws {
        let seen = activities.sorted { $0.key.description < $1.key.description }
        guard !seen.isEmpty else { return }
        _ = try await writeAlone(
            """
            INSERT INTO customer_activity AS a (customer_id, last_seen_at, locale, platform, app_version)
            SELECT DISTINCT ON (c.id) c.id, n.at, nullif(n.locale, ''), nullif(n.platform, ''), nullif(n.version, '')
            FROM unnest(
                \(seen.map(\.key.uuid)), \(seen.map(\.value.lastSeenAt)), \(seen.map { $0.value.locale ?? "" }),
                \(seen.map { $0.value.platform?.rawValue ?? "" }), \(seen.map { $0.value.appVersion ?? "" })
            ) AS n(id, at, locale, platform, version)
            JOIN customers k ON k.id = n.id
            JOIN customers c ON c.id = coalesce(k.merged_into, k.id) AND c.deleted_at IS NULL
            ORDER BY c.id, n.at DESC
            ON CONFLICT (customer_id) DO UPDATE
            SET last_seen_at = excluded.last_seen_at, locale = coalesce(excluded.locale, a.locale),
                platform = coalesce(excluded.platform, a.platform),
                app_version = coalesce(excluded.app_version, a.app_version)
            WHERE a.last_seen_at <= excluded.last_seen_at - make_interval(secs => \(CustomerActivity.grain))
                OR a.last_seen_at < excluded.last_seen_at
                    AND (coalesce(excluded.locale, a.locale), coalesce(excluded.platform, a.platform),
                            coalesce(excluded.app_version, a.app_version))
                        IS DISTINCT FROM (a.locale, a.platform, a.app_version)
            """
        )
    }
}

extension Queries {
    /// nil for whose app has never called.
    package func activity(of customer: Customer.ID) async throws -> CustomerActivity? {
        try await reader.query(
            "SELECT last_seen_at, locale, platform, app_version FROM customer_activity WHERE customer_id = \(customer)"
        ).first.map { row in
            let (lastSeenAt, locale, platform, version) = try row.decode(
                Date.self,
                String?.self,
                CustomerActivity.Platform?.self,
                String?.self
            )
            return CustomerActivity(lastSeenAt: lastSeenAt, locale: locale, platform: platform, appVersion: version)
        }
    }
}
