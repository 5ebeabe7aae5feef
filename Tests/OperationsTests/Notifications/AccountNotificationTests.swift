import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("What Apple tells about accounts") struct AccountNotificationTests {
    private static let person = SimulatedAppleAccount(
        subject: "001.a",
        email: "relay@example.com",
        isPrivateEmail: true
    )

    @Test("each kind is kept once, however often it comes, and whatever its type")
    func kept() async throws {
        try await run { office, apple in
            let types = [
                "email-disabled", "email-enabled", "consent-revoked", "account-delete", "account-deleted", "new",
            ]
            for type in types {
                let payload = try Self.payload(try apple.notification(type, of: Self.person, for: Self.client))
                #expect(try await office.backOffice.receiveAccountNotification(payload))
                #expect(try await !office.backOffice.receiveAccountNotification(payload))
            }
            let kept = try await newest(office)
            #expect(kept.map(\.type).sorted() == types.sorted())
            #expect(Set(kept.map(\.subject)) == ["001.a"])
            #expect(Set(kept.map(\.clientID)) == [Self.client])
            #expect(kept.allSatisfy { $0.happenedAt != nil })
            let hidden = try await office.database.read { reader in
                try await reader.screens.accountNotifications(
                    of: try await office.app(),
                    seesPersonalData: false,
                    limit: 9
                )
            }
            #expect(hidden.allSatisfy { $0.email == nil })
        }
    }

    @Test("many deliveries at once keep one")
    func atOnce() async throws {
        try await run { office, apple in
            let payload = try Self.payload(try apple.notification("consent-revoked", of: Self.person, for: Self.client))
            let new = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await office.backOffice.receiveAccountNotification(payload) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(new == 1)
        }
    }

    @Test("what Apple did not sign, or signed for another app, is not kept")
    func refused() async throws {
        try await run { office, apple in
            let good = try Self.payload(try apple.notification("consent-revoked", of: Self.person, for: Self.client))
            let parts = good.split(separator: ".")
            let other = try Self.payload(
                try apple.notification("consent-revoked", of: Self.person, for: "com.example.other")
            )
            let forged = "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: parts[2].count))"
            for payload in [
                "", "a.b.c", "\0", forged, other, "\(parts[0]).\(parts[1])", String(repeating: "a", count: 100_000),
            ] {
                let error = await #expect(throws: OperationsError.self) {
                    _ = try await office.backOffice.receiveAccountNotification(payload)
                }
                #expect(error?.code == .notAuthentic)
            }
            #expect(try await office.count("apple_account_notifications") == 0)
        }
    }

    @Test("while Apple's keys cannot be had, it is to be sent again")
    func unreachable() async throws {
        try await run(isListening: false) { office, apple in
            let payload = try Self.payload(try apple.notification("consent-revoked", of: Self.person, for: Self.client))
            let error = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.receiveAccountNotification(payload)
            }
            #expect(error?.code == .overloaded)
            #expect(error?.retryAfter != nil)
        }
    }

    private static let client = SimulatedCatalog.readmigo.bundleID

    /// An office whose app signs people in at the simulated store.
    private func run(
        isListening: Bool = true,
        _ body: (TestOffice, SimulatedAppleID) async throws -> Void
    ) async throws {
        let key = SimulatedAPIKey()
        // Tokens are of the office's time.
        let clock = SimulatedClock()
        clock.advance(by: TestOffice.start.timeIntervalSinceNow)
        let apple = try SimulatedAppleID(key: key, clock: clock)
        let store = SimulatedAppleServer(
            authority: try TestOffice.authority.get(),
            key: key,
            clock: clock,
            endpoints: apple.endpoints
        )
        try await store.start()
        let address = store.url()
        if !isListening { await store.stop() }
        do {
            try await TestOffice.run { office in
                let backOffice = BackOffice(
                    database: office.database,
                    inbox: office.inbox,
                    logger: .quiet,
                    cipher: FieldCipher(secret: Array("a secret of this test, and of it alone".utf8))
                )
                var catalog = try Catalog.readmigo()
                catalog.accounts[.apple]?.settings.merge([
                    AppleSetting.clientIDs: Self.client, AppleSetting.teamID: SimulatedAppleID.simulatedTeam,
                    AppleSetting.signInKeyID: key.keyID, AppleSetting.signInAddress: address,
                ]) { $1 }
                catalog.accounts[.apple]?.secrets[AppleSetting.signInPrivateKey] = Secret(key.pem)
                _ = try await backOffice.applyCatalog(catalog)
                let connected = TestOffice(
                    pool: office.pool,
                    database: office.database,
                    inbox: office.inbox,
                    backOffice: backOffice,
                    worker: office.worker,
                    clock: office.clock
                )
                try await body(connected, apple)
            }
            await store.stop()
        } catch {
            await store.stop()
            throw error
        }
    }

    private func newest(_ office: TestOffice) async throws -> [StoredAccountNotification] {
        let app = try await office.app()
        return try await office.database.read { reader in
            try await reader.screens.accountNotifications(of: app, seesPersonalData: true, limit: 9)
        }
    }

    private static func payload(_ body: Data) throws -> String {
        try #require(try JSON(parsing: Array(body))["payload"]?.string)
    }
}
