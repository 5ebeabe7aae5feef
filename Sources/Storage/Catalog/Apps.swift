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
    package var apple: Apple?

    /// The app at Apple.
    package struct Apple: Sendable {
        package var bundleID: String
        package var appID: Int64?
        /// Accepts what a test authority signs, and nothing that Apple signs.
        package var isSimulated: Bool
        /// DER certificates that may end a chain.
        package var anchors: [[UInt8]]
    }
}

extension Reader {
    package var apps: AppReads { AppReads(reader: self) }
}

package struct AppReads: Sendable {
    let reader: Reader

    package func all() async throws -> [AppRecord] {
        let anchors = try await anchors()
        return try await reader.query(
            """
            SELECT id, slug, name, time_zone, reporting_currency, apple_bundle_id, apple_app_id, apple_environment
            FROM apps
            ORDER BY slug
            """
        ).map { row in
            let (id, slug, name, timeZone, currency, bundleID, appleID, environment) = try row.decode(
                App.ID.self,
                String.self,
                String.self,
                String.self,
                String.self,
                String?.self,
                Int64?.self,
                String.self
            )
            let apple = bundleID.map { bundleID in
                AppRecord.Apple(
                    bundleID: bundleID,
                    appID: appleID,
                    isSimulated: environment == "simulator",
                    anchors: anchors[id] ?? []
                )
            }
            return AppRecord(
                id: id,
                slug: slug,
                name: name,
                timeZone: timeZone,
                reportingCurrency: currency,
                apple: apple
            )
        }
    }

    private func anchors() async throws -> [App.ID: [[UInt8]]] {
        try await reader.query("SELECT app_id, der FROM apple_anchors ORDER BY app_id, sha256")
            .reduce(into: [:]) { anchors, row in
                let (app, der) = try row.decode(App.ID.self, [UInt8].self)
                anchors[app, default: []].append(der)
            }
    }
}
