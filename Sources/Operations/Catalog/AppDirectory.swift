package import Billing
package import Foundation
import Gateways
package import Storage
import Synchronization

/// The apps and their products, read from the database and cached for a few seconds.
///
/// A lookup that finds nothing reads again at once (though at most once a second), so a catalogue that was just applied is available for
/// the next notification.
package final class AppDirectory: Sendable {
    /// An app with the values derived from its row.
    package struct Entry: Sendable {
        package let record: AppRecord
        package let timeZone: TimeZone
        /// The accounts, with their secrets decrypted.
        package let accounts: [Store: StoreAccount]
        package let products: [Store: [String: ProductRecord]]
        /// The issuer, with its shared secret decrypted.
        package let tokenIssuer: TokenIssuer?
    }

    private struct Snapshot {
        var byID: [App.ID: Entry] = [:]
        var byAccount: [AccountKey: Entry] = [:]
        /// By the client ids for Sign in with Apple.
        var byClientID: [String: Entry] = [:]
        /// By the issuer of their tokens.
        var byIssuer: [String: [Entry]] = [:]
        var readAt = Date.distantPast
        /// True while one caller reads it anew; the others go on with the known one.
        var isBeingRead = false
    }

    private struct AccountKey: Hashable {
        let store: Store
        let identifier: String
    }

    private static let lifetime: TimeInterval = 10
    private static let shortestLifetime: TimeInterval = 1
    /// The longest time after which every server looks for an app that it was just asked for and did not know.
    package static let longestIgnorance = Duration.seconds(shortestLifetime)
    /// The time, in seconds, for which a snapshot stays valid while the database does not answer.
    private static let longestLifetime: TimeInterval = 600
    /// The longest time that a reader waits: a third of what a request may wait at its door, for a notification must be answered within
    /// two seconds, and has yet to be stored.
    private var patience: Duration { database.doorTimeout * 0.35 }

    private let database: Database
    private let secrets: AccountSecrets
    private let snapshot = Mutex(Snapshot())

    init(database: Database, secrets: AccountSecrets) {
        self.database = database
        self.secrets = secrets
    }

    /// The app with that id at a store: its bundle id, or its package name.
    package func entry(at store: Store, knownAs identifier: String) async throws -> Entry? {
        try await find { $0.byAccount[AccountKey(store: store, identifier: identifier)] }
    }

    /// All apps that sell at a store, always in the same order.
    package func entries(at store: Store) async throws -> [Entry] {
        try await find { snapshot in
            snapshot.byID.values.filter { $0.accounts[store] != nil }.sorted { $0.record.slug < $1.record.slug }
        } ?? []
    }

    /// The app that signs people in at Apple under one of these client ids.
    package func entry(signingInAs clientIDs: [String]) async throws -> Entry? {
        try await find { snapshot in
            for id in clientIDs {
                if let entry = snapshot.byClientID[id] { return entry }
            }
            return nil
        }
    }

    /// The app whose own issuer a token claims.
    func entry(issuing token: JWT) async throws -> Entry? {
        guard let issuer = try? token.claims.text("iss"), let audiences = try? token.claims.audiences() else {
            return nil
        }
        return try await find { snapshot in
            snapshot.byIssuer[issuer]?.first { audiences.contains($0.tokenIssuer?.audience ?? "") }
        }
    }

    /// True if pages of an origin may call: for one app, or for any if the call does not name one.
    ///
    /// - Throws: the database's errors.
    package func allows(origin: String, for slug: String?) async throws -> Bool {
        try await find { snapshot in
            snapshot.byID.values.contains {
                (slug == nil || $0.record.slug == slug) && $0.record.corsOrigins.contains(origin)
            } ? true : nil
        } ?? false
    }

    package func entry(for app: App.ID) async throws -> Entry? {
        try await find { $0.byID[app] }
    }

    /// The rate limits of an app's callers, where its catalogue differs from the installation.
    ///
    /// Every call asks for them: when it is time to read again, one caller reads, and the others take the known ones.
    ///
    /// - Returns: none while the database does not answer.
    package func rateLimits(of app: App.ID) async -> [RateLimitPolicy: RateLimit] {
        let known: [RateLimitPolicy: RateLimit]? = snapshot.withLock { snapshot in
            guard let known = snapshot.byID[app]?.record.rateLimits else { return nil }
            let age = database.now.timeIntervalSince(snapshot.readAt)
            guard !(0..<Self.lifetime).contains(age), !snapshot.isBeingRead else { return known }
            snapshot.isBeingRead = true
            return nil
        }
        if let known { return known }
        defer { snapshot.withLock { $0.isBeingRead = false } }
        return (try? await find { $0.byID[app]?.record.rateLimits }) ?? [:]
    }

    /// The app of a call without a token.
    ///
    /// - Parameter slug: nil for the only app.
    package func entry(named slug: String?) async throws -> Entry? {
        try await find { snapshot in
            guard let slug else { return snapshot.byID.count == 1 ? snapshot.byID.values.first : nil }
            return snapshot.byID.values.first { $0.record.slug == slug }
        }
    }

    /// The currency of an app's metrics.
    ///
    /// - Throws: `OperationsError` with `.notFound` for an unknown app.
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

    /// Makes the next caller read everything again: it was changed here.
    func forget() {
        snapshot.withLock { $0.readAt = .distantPast }
    }

    private func find<Found: Sendable>(_ look: (Snapshot) -> Found?) async throws -> Found? {
        let (found, age) = snapshot.withLock { (look($0), database.now.timeIntervalSince($0.readAt)) }
        let isFresh = (0..<(found == nil ? Self.shortestLifetime : Self.lifetime)).contains(age)
        if isFresh { return found }
        do {
            let read = found == nil ? try await read() : try await within(patience) { try await self.read() }
            snapshot.withLock { $0 = read }
            return look(read)
        } catch let error where found != nil && DatabaseFailure(error)?.isPassing == true && age < Self.longestLifetime
        {
            // A recent snapshot is better than a wait for a database that does not answer.
            return found
        }
    }

    private func read() async throws -> Snapshot {
        // Of what is committed from now on nothing is certain.
        let asked = database.now
        let (records, products) = try await database.readPrimary { reader in
            (try await reader.apps.all(), try await reader.products.all())
        }
        let productsByApp = Dictionary(grouping: products, by: \.app)
        var snapshot = Snapshot(readAt: asked)
        for record in records {
            let entry = try entry(for: record, products: productsByApp[record.id] ?? [])
            snapshot.byID[record.id] = entry
            if let issuer = entry.tokenIssuer { snapshot.byIssuer[issuer.issuer, default: []].append(entry) }
            for account in entry.accounts.values {
                snapshot.byAccount[AccountKey(store: account.store, identifier: account.identifier)] = entry
                for id in account.signInClientIDs { snapshot.byClientID[id] = snapshot.byClientID[id] ?? entry }
            }
        }
        return snapshot
    }

    private func entry(for record: AppRecord, products: [ProductRecord]) throws -> Entry {
        guard let timeZone = TimeZone(identifier: record.timeZone) else {
            throw OperationsError(.misconfigured, "The app \(record.slug) has no time zone called \(record.timeZone).")
        }
        return Entry(
            record: record,
            timeZone: timeZone,
            accounts: Dictionary(record.accounts.map { ($0.account.store, secrets.opened($0)) }) { first, _ in first },
            products: Dictionary(grouping: products, by: \.store).mapValues { products in
                Dictionary(products.map { ($0.storeProductID, $0) }) { first, _ in first }
            },
            tokenIssuer: record.tokenIssuer.map(secrets.opened)
        )
    }
}
