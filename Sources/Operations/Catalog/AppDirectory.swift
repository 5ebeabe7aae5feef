package import Billing
package import Foundation
import Gateways
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
        /// With their secrets opened.
        package let accounts: [Store: StoreAccount]
        package let products: [Store: [String: ProductRecord]]
        /// With its shared secret opened.
        package let tokenIssuer: TokenIssuer?
    }

    private struct Snapshot {
        var byID: [App.ID: Entry] = [:]
        var byAccount: [AccountKey: Entry] = [:]
        /// At Sign in with Apple.
        var byClientID: [String: Entry] = [:]
        /// By who issues their tokens.
        var byIssuer: [String: [Entry]] = [:]
        var readAt = Date.distantPast
        /// Whether somebody reads it anew, while the others go on with what is known.
        var isBeingRead = false
    }

    private struct AccountKey: Hashable {
        let store: Store
        let identifier: String
    }

    private static let lifetime: TimeInterval = 10
    private static let shortestLifetime: TimeInterval = 1
    /// How long what was read is good while the database does not answer.
    private static let longestLifetime: TimeInterval = 600
    /// How long a reader waits; a notification must be answered within two seconds, and is still to be stored.
    private static let patience = Duration.milliseconds(700)

    private let database: Database
    private let secrets: AccountSecrets
    private let snapshot = Mutex(Snapshot())

    init(database: Database, secrets: AccountSecrets) {
        self.database = database
        self.secrets = secrets
    }

    /// The app that a store knows by that id: by its bundle id, by its package name.
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

    /// The app whose own issuer claims to have issued a token for it.
    func entry(issuing token: JWT) async throws -> Entry? {
        guard let issuer = try? token.claims.text("iss"), let audiences = try? token.claims.audiences() else {
            return nil
        }
        return try await find { snapshot in
            snapshot.byIssuer[issuer]?.first { audiences.contains($0.tokenIssuer?.audience ?? "") }
        }
    }

    /// Whether pages of an origin may call: for one app, or for any where the call does not say which.
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

    /// How often callers of an app may call, where its catalogue says other than the installation.
    ///
    /// Every call asks this: when it is time to read again, one does, and the others take what is known.
    ///
    /// - Returns: nothing while the database does not say.
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

    /// The app that a call without a token is for.
    ///
    /// - Parameter slug: nil for the only one that there is.
    package func entry(named slug: String?) async throws -> Entry? {
        try await find { snapshot in
            guard let slug else { return snapshot.byID.count == 1 ? snapshot.byID.values.first : nil }
            return snapshot.byID.values.first { $0.record.slug == slug }
        }
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

    /// Has everything read again by whoever asks next: it was changed here.
    func forget() {
        snapshot.withLock { $0.readAt = .distantPast }
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
