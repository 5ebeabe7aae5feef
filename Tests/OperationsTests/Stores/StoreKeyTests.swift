import Billing
import Crypto
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Uploaded keys of stores") struct StoreKeyTests {
    private static let reason = Reason(.testing, "It was for a test alone.")

    @Test("a key is uploaded where the catalogue names none, is used at once, and goes when the catalogue names one")
    func upload() async throws {
        try await ConnectedOffice.run(deliveries: Deliveries()) { office in
            let (app, named) = (try await office.office.app(), try office.catalog())
            // The addresses of the store stay in the catalogue.
            let catalog = Self.withoutKey(named)
            #expect(try await office.backOffice.applyCatalog(catalog).changes == ["changed account at apple"])
            #expect(try await connection(office).canBeAsked == false)
            try await upload(Self.key(of: office.store.key), office)
            let connection = try await connection(office)
            #expect(connection.canBeAsked)
            #expect(connection.keys.first?.origin == .uploaded(at: office.clock.read()))
            _ = try await office.backOffice.requestTestNotification(
                of: app,
                at: .apple,
                in: .production,
                caller: .commandLine
            )
            // Applying the same file again leaves it.
            #expect(try await office.backOffice.applyCatalog(catalog).changes == [])
            #expect(try await office.count("store_keys") == 1)
            #expect(
                try await office.backOffice.applyCatalog(named).changes
                    == ["changed account at apple", "removed the uploaded key api at apple"]
            )
            #expect(try await office.count("store_keys") == 0)
            let error = await #expect(throws: OperationsError.self) {
                try await upload(Self.key(of: office.store.key), office)
            }
            #expect(error?.code == .conflict)
        }
    }

    @Test("one that is replaced or removed is gone; the log says all but the secret")
    func replaced() async throws {
        try await ConnectedOffice.run { office in
            _ = try await office.backOffice.applyCatalog(Self.withoutKey(try office.catalog()))
            let other = StoreKey(
                kind: .api,
                settings: [AppleSetting.issuerID: UUID().uuidString, AppleSetting.keyID: "OTHER12345"],
                secrets: [AppleSetting.privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation)]
            )
            try await upload(other, office)
            try await upload(Self.key(of: office.store.key), office)
            #expect(try await office.count("store_keys") == 1)
            let log = try await office.lines("SELECT e::text FROM audit_entries e WHERE action = 'store.key_save'")
            #expect(log.count == 2)
            #expect(log.contains { $0.contains("OTHER12345") && $0.contains(office.store.key.keyID) })
            #expect(log.allSatisfy { !$0.contains("PRIVATE") })
            #expect(try await office.lines("SELECT k::text FROM store_keys k").allSatisfy { !$0.contains("PRIVATE") })
            try await remove(office)
            #expect(try await connection(office).keys.first?.origin == .missing)
            let error = await #expect(throws: OperationsError.self) { try await remove(office) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("what is no key of the store is refused by its field, and nothing is kept")
    func refused() async throws {
        try await ConnectedOffice.run { office in
            _ = try await office.backOffice.applyCatalog(Self.withoutKey(try office.catalog()))
            let good = Self.key(of: office.store.key)
            func refusal(_ change: (inout StoreKey) -> Void) async -> String? {
                var key = good
                change(&key)
                let broken = key
                let error = await #expect(throws: OperationsError.self) { try await upload(broken, office) }
                #expect(error?.code == .invalid)
                return error?.field
            }
            for text in ["", "9223372036854775808", "1.5", "\0", String(repeating: "a", count: 100_000)] {
                #expect(await refusal { $0.settings[AppleSetting.issuerID] = text } == AppleSetting.issuerID)
                #expect(await refusal { $0.secrets[AppleSetting.privateKey] = Secret(text) } == AppleSetting.privateKey)
            }
            for text in ["", "1.5", "\0", String(repeating: "a", count: 100_000)] {
                #expect(await refusal { $0.settings[AppleSetting.keyID] = text } == AppleSetting.keyID)
            }
            #expect(try await office.count("store_keys") == 0)
        }
    }

    @Test("one client id of Sign in with Apple leads to one app")
    func clientIDs() async throws {
        try await ConnectedOffice.run { office in
            var other = try office.catalog()
            other.app = "other"
            other.accounts[.apple]?.identifier = "com.example.other"
            let settings = [
                AppleSetting.clientIDs: "com.example.web com.readmigo.app", AppleSetting.teamID: "SIMTEAM001",
                AppleSetting.signInKeyID: office.store.key.keyID,
            ]
            let key = StoreKey(
                kind: .signIn,
                settings: settings,
                secrets: [AppleSetting.signInPrivateKey: Secret(office.store.key.pem)]
            )
            var first = try office.catalog()
            first.accounts[.apple]?.settings[AppleSetting.signInAddress] = office.store.url()
            _ = try await office.backOffice.applyCatalog(first)
            try await upload(key, office)
            other.accounts[.apple]?.settings.merge(settings) { $1 }
            other.accounts[.apple]?.settings[AppleSetting.signInAddress] = office.store.url()
            other.accounts[.apple]?.secrets[AppleSetting.signInPrivateKey] = Secret(office.store.key.pem)
            let second = other
            let error = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.applyCatalog(second)
            }
            #expect(error?.code == .conflict)
            #expect(error?.field == "apple.id.clientIds")
        }
    }

    private static func withoutKey(_ catalog: Catalog) -> Catalog {
        var catalog = catalog
        for name in [AppleSetting.issuerID, AppleSetting.keyID] { catalog.accounts[.apple]?.settings[name] = nil }
        catalog.accounts[.apple]?.secrets = [:]
        return catalog
    }

    private static func key(of key: SimulatedAPIKey) -> StoreKey {
        StoreKey(
            kind: .api,
            settings: [AppleSetting.issuerID: key.issuerID, AppleSetting.keyID: key.keyID],
            secrets: [AppleSetting.privateKey: Secret(key.pem)]
        )
    }

    private func upload(_ key: StoreKey, _ office: ConnectedOffice) async throws {
        _ = try await office.backOffice.saveStoreKey(
            key,
            of: try await office.office.app(),
            at: .apple,
            once: nil,
            caller: .commandLine
        )
    }

    private func remove(_ office: ConnectedOffice) async throws {
        _ = try await office.backOffice.removeStoreKey(
            .api,
            of: try await office.office.app(),
            at: .apple,
            reason: Self.reason,
            once: nil,
            caller: .commandLine
        )
    }

    private func connection(_ office: ConnectedOffice) async throws -> StoreConnection {
        try #require(try await office.backOffice.storeConnections(of: try await office.office.app()).first)
    }
}
