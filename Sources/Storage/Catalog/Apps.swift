package import Billing
import Foundation
import Postgres

/// An app (tenant): what it is called, which clock its business follows, and how its stores are recognised.
package struct AppRecord: Sendable {
    package var id: App.ID
    package var slug: String
    package var name: String
    /// IANA name of the business time zone.
    package var timeZone: String
    package var reportingCurrency: String
    /// The store accounts through which it sells.
    package var accounts: [StoredStoreAccount]
    /// Web pages that may call from a browser.
    package var corsOrigins: [String]
    /// nil for an app whose customers sign in here.
    package var tokenIssuer: StoredTokenIssuer?
    /// The rate limits that differ from the installation's defaults.
    package var rateLimits: [RateLimitPolicy: RateLimit]
}

extension Reader {
    package var apps: AppReads { AppReads(reader: self) }
}

package struct AppReads: Sendable {
    let reader: Reader

    package func all() async throws -> [AppRecord] {
        let keys = try await reader.storeKeys()
        let accounts = Dictionary(
            grouping: try await reader.query("\(StoredStoreAccount.query) ORDER BY a.app_id, a.store").map { row in
                var account = try StoredStoreAccount(row: row)
                account.keys = keys[account.app]?[account.account.store] ?? []
                return account
            },
            by: \.app
        )
        let issuers = try await reader.tokenIssuers()
        let limits = try await reader.rateLimits()
        return try await reader.query(
            """
            SELECT id, slug, name, time_zone, reporting_currency, cors_origins
            FROM apps
            ORDER BY slug
            """
        ).map { row in
            let (id, slug, name, timeZone, currency, origins) = try row.decode(
                App.ID.self,
                String.self,
                String.self,
                String.self,
                String.self,
                [String].self
            )
            return AppRecord(
                id: id,
                slug: slug,
                name: name,
                timeZone: timeZone,
                reportingCurrency: currency,
                accounts: accounts[id] ?? [],
                corsOrigins: origins,
                tokenIssuer: issuers[id],
                rateLimits: limits[id] ?? [:]
            )
        }
    }

    /// Those whose rollups count by an older version of the definitions, or by other settings than they have now.
    package func countingOtherwise() async throws -> [(App.ID, String)] {
        try await reader.query(
            """
            SELECT id, slug
            FROM apps
            WHERE metrics_version <> \(MetricDefinitions.version, as: Int32.self)
            ORDER BY slug
            """
        ).map { try $0.decode(App.ID.self, String.self) }
    }
}
