package import Billing
package import Foundation
package import Gateways
package import Storage
import Synchronization

/// The apps and their products, read from the database and remembered for a few seconds.
///
/// A look-up that finds nothing reads again at once (though not more often than each second), so a catalogue that was
/// just applied is there for the next notification.
package final class AppDirectory: Sendable {
    /// An app with what is derived from its row.
    package struct Entry: Sendable {
        package let record: AppRecord
        package let timeZone: TimeZone
        /// nil without an Apple bundle id.
        package let apple: AppleConfiguration?
        package let products: [Store: [String: ProductRecord]]
    }

    private struct Snapshot {
        var byID: [App.ID: Entry] = [:]
        var byBundleID: [String: Entry] = [:]
        var readAt = Date.distantPast
    }

    private static let lifetime: TimeInterval = 10
    private static let shortestLifetime: TimeInterval = 1
    /// How long what was read is good while the database does not answer.
    private static let longestLifetime: TimeInterval = 600
    /// How long a reader waits; a notification must be answered within two seconds, and is still to be stored.
    private static let patience = Duration.milliseconds(700)

    private let database: Database
    private let snapshot = Mutex(Snapshot())

    package init(database: Database) {
        self.database = database
    }

    /// The app that sells under an Apple bundle id.
    package func entry(forAppleBundle bundleID: String) async throws -> Entry? {
        try await find { $0.byBundleID[bundleID] }
    }

    package func entry(for app: App.ID) async throws -> Entry? {
        try await find { $0.byID[app] }
    }

    /// What an app's metrics are shown in.
    ///
    /// - Throws: `OperationsError` with `.notFound` for an app that there is not.
    package func reportingCurrency(of app: App.ID) async throws -> Currency {
        guard let code = try await entry(for: app)?.record.reportingCurrency, let currency = Currency(code) else {
            throw OperationsError(.notFound, "There is no such app.")
        }
        return currency
    }

    /// A product by the store's identifier.
    package func product(_ storeProductID: String, at store: Store, of app: App.ID) async throws -> ProductRecord? {
        try await find { $0.byID[app]?.products[store]?[storeProductID] }
    }

    private func find<Found: Sendable>(_ look: (Snapshot) -> Found?) async throws -> Found? {
        let (found, age) = snapshot.withLock { (look($0), database.now.timeIntervalSince($0.readAt)) }
        let isFresh = (0..<(found == nil ? Self.shortestLifetime : Self.lifetime)).contains(age)
        if isFresh { return found }
        do {
            let read = found == nil ? try await read() : try await within(Self.patience) { try await self.read() }
            snapshot.withLock { $0 = read }
            return look(read)
        } catch let error where found != nil && DatabaseFailure(error)?.isPassing == true && age < Self.longestLifetime
        {
            // What was known a moment ago is better than a wait for a database that does not answer.
            return found
        }
    }

    private func read() async throws -> Snapshot {
        let (records, products) = try await database.readPrimary { reader in
            (try await reader.apps.all(), try await reader.products.all())
        }
        let productsByApp = Dictionary(grouping: products, by: \.app)
        var snapshot = Snapshot(readAt: database.now)
        for record in records {
            let entry = try Self.entry(for: record, products: productsByApp[record.id] ?? [])
            snapshot.byID[record.id] = entry
            if let apple = record.apple { snapshot.byBundleID[apple.bundleID] = entry }
        }
        return snapshot
    }

    private static func entry(for record: AppRecord, products: [ProductRecord]) throws -> Entry {
        guard let timeZone = TimeZone(identifier: record.timeZone) else {
            throw OperationsError(.misconfigured, "The app \(record.slug) has no time zone called \(record.timeZone).")
        }
        return Entry(
            record: record,
            timeZone: timeZone,
            apple: try record.apple.map(configuration),
            products: Dictionary(grouping: products, by: \.store).mapValues { products in
                Dictionary(products.map { ($0.storeProductID, $0) }) { first, _ in first }
            }
        )
    }

    private static func configuration(of apple: AppRecord.Apple) throws(GatewayError) -> AppleConfiguration {
        try AppleConfiguration(
            bundleID: apple.bundleID,
            appAppleID: apple.appID,
            mode: apple.isSimulated ? .simulator(anchors: apple.anchors) : .store,
            extraAnchors: apple.isSimulated ? [] : apple.anchors
        )
    }
}
