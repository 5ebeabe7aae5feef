package import Billing
package import Foundation
import Gateways
package import Storage

/// An app's connection to one store: its settings, its missing parts, and the time of the latest message.
package struct StoreConnection: Sendable {
    package var store: Store
    /// The app's own id at the store.
    package var identifier: String
    package var isSimulated: Bool
    /// The number of the app in the App Store, without which production's notifications are refused.
    package var appAppleID: Int64?
    /// In the order in which they are asked for.
    package var keys: [Key]
    /// The problem with the settings; nil if there is none.
    package var problem: String?
    /// True if the store reports purchases; false if it only signs people in.
    package var takesNotifications: Bool
    /// True if the store sends test notifications.
    package var sendsTests: Bool
    /// True if the store can be asked for its sent messages.
    package var canBeAsked: Bool
    package var certificates: [StoreCertificate]
    package var lastReceived: [StoreEnvironment: Date]
    package var tests: [StoreEnvironment: TestNotification]

    /// A key that an app may have at the store.
    package struct Key: Sendable, Hashable {
        package var kind: StoreKey.Kind
        package var origin: Origin
        /// True if staff uploaded it, so that it can be removed.
        package var isUploaded: Bool
        /// True if the app's catalogue names it; it cannot be uploaded then.
        package var isNamed: Bool
        /// Its parts that are not secret, by the store's own names.
        package var settings: [String: String]
        /// The names of its parts, in the order in which they are asked for.
        package var settingNames: [String]
        package var secretNames: [String]
        /// Those of the names that a key may lack.
        package var optionalNames: Set<String>
        /// True if the app does nothing at the store without it.
        package var isNeeded: Bool

        /// The part by which people tell one key from another.
        package var label: String? {
            settingNames.last { !optionalNames.contains($0) }.flatMap { settings[$0] }
        }
    }

    /// The origin of a key.
    package enum Origin: Sendable, Hashable {
        case missing
        case catalog
        case uploaded(at: Date)
        /// It was encrypted with a secret that this installation does not have.
        case unreadable
    }
}

extension BackOffice {
    /// The stores that an app has an account at, in the catalogue's order.
    package func storeConnections(of app: App.ID) async throws -> [StoreConnection] {
        let record = try await database.readPrimary { try await $0.apps.all() }.first { $0.id == app }
        let tests = try await database.readPrimary { try await $0.testNotifications.all(of: app) }
        var connections: [StoreConnection] = []
        for stored in record?.accounts ?? [] {
            let store = stored.account.store
            let lastReceived = try await database.read { try await $0.screens.lastReceived(of: app, from: store) }
            var connection = connection(stored)
            connection.lastReceived = lastReceived
            for test in tests where test.store == store { connection.tests[test.environment] = test }
            connections.append(connection)
        }
        return connections
    }

    private func connection(_ stored: StoredStoreAccount) -> StoreConnection {
        let (account, gateway) = (accountSecrets.opened(stored), gateways[stored.account.store])
        let own = accountSecrets.opened(stored.account, stored.sealedSecrets, of: stored.app)
        var problem: String?
        var canBeAsked = false
        var certificates: [StoreCertificate] = []
        do throws(GatewayError) {
            try gateway?.check(account)
            canBeAsked = try gateway?.reconciliation(of: account) != nil
            certificates = try gateway?.certificates(of: account) ?? []
        } catch {
            problem = error.message
        }
        return StoreConnection(
            store: account.store,
            identifier: account.identifier,
            isSimulated: account.isSimulated,
            appAppleID: account.appAppleID,
            keys: (gateway?.keys ?? []).map { shape in key(shape, stored, own, account) },
            problem: problem,
            takesNotifications: gateway?.takesNotifications(for: account) ?? true,
            sendsTests: gateway?.sendsTestNotifications ?? true,
            canBeAsked: canBeAsked,
            certificates: certificates,
            lastReceived: [:],
            tests: [:]
        )
    }

    private func key(
        _ shape: StoreKeyShape,
        _ stored: StoredStoreAccount,
        _ own: StoreAccount,
        _ account: StoreAccount
    ) -> StoreConnection.Key {
        let uploaded = stored.keys.first { $0.kind == shape.kind }
        let isOpen = shape.isWhole(in: account)
        let origin: StoreConnection.Origin =
            if shape.isNamed(by: own) {
                isOpen ? .catalog : .unreadable
            } else if let uploaded {
                isOpen ? .uploaded(at: uploaded.uploadedAt) : .unreadable
            } else {
                .missing
            }
        let settings = account.settings.filter { shape.settings.contains($0.key) }
        return StoreConnection.Key(
            kind: shape.kind,
            origin: origin,
            isUploaded: uploaded != nil && !shape.isNamed(by: own),
            isNamed: shape.isNamed(by: own),
            settings: settings,
            settingNames: shape.settings,
            secretNames: shape.secrets,
            optionalNames: shape.optional,
            isNeeded: shape.isNeeded
        )
    }
}
