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

    @Test("who stopped using their Apple Account with the app is signed out, and finds their account again")
    func consentRevoked() async throws {
        try await run { office, apple in
            let signedIn = try await signIn(office, apple)
            office.clock.advance(by: 5)
            try await tell("consent-revoked", office, apple)
            #expect(try await office.backOffice.customerSession(signedIn.tokens.accessToken.revealed) == nil)
            #expect(try await office.count("sign_in_identities WHERE sealed_refresh_token IS NULL") == 1)
            let again = try await signIn(office, apple)
            #expect((again.tokens.customer, again.isNew) == (signedIn.tokens.customer, false))
        }
    }

    @Test("a relay address that is turned off or on is noted with the customer, once, without the address")
    func emailRelay() async throws {
        try await run { office, apple in
            // A notification about an unknown person is stored, and no more.
            try await tell("email-disabled", office, apple)
            #expect(try await office.count("audit_entries WHERE action LIKE 'identity.email%'") == 0)
            let signedIn = try await signIn(office, apple)
            for type in ["email-disabled", "email-enabled"] {
                office.clock.advance(by: 5)
                let payload = try Self.payload(try apple.notification(type, of: Self.person, for: Self.client))
                for _ in 1...2 { try await office.backOffice.receiveAccountNotification(payload) }
            }
            let log = try await office.lines(
                """
                SELECT action || ' ' || actor || ' ' || customer_id
                FROM audit_entries
                WHERE action LIKE 'identity.email%'
                ORDER BY id
                """
            )
            let customer = signedIn.tokens.customer.description
            #expect(log == ["identity.email_off apple \(customer)", "identity.email_on apple \(customer)"])
            let entries = try await office.lines(
                "SELECT e::text FROM audit_entries e WHERE action LIKE 'identity.email%'"
            )
            #expect(entries.allSatisfy { !$0.contains("relay@example.com") && !$0.contains("001.a") })
            // They stay signed in.
            #expect(try await office.backOffice.customerSession(signedIn.tokens.accessToken.revealed) != nil)
        }
    }

    @Test("an Apple Account that is gone takes the customer's account with it, if that was all they had")
    func accountDeleted() async throws {
        try await run { office, apple in
            let signedIn = try await signIn(office, apple)
            #expect(try await office.count("sign_in_identities WHERE sealed_refresh_token IS NOT NULL") == 1)
            office.clock.advance(by: 5)
            try await tell("account-delete", office, apple)
            #expect(try await office.backOffice.customerSession(signedIn.tokens.accessToken.revealed) == nil)
            #expect(try await office.count("customers WHERE deleted_at IS NOT NULL") == 1)
            // Apple knows already.
            #expect(try await office.count("sign_in_revocations") == 0)
            #expect(try await newest(office).allSatisfy { $0.subject.isEmpty && $0.email == nil })
            #expect(try await signIn(office, apple).isNew)
        }
    }

    @Test("a customer whom the app names loses the Apple sign-in alone; what came late says nothing any more")
    func onlyOne() async throws {
        try await run { office, apple in
            let app = try await office.app()
            let named = try await office.backOffice.mintToken(
                for: CustomerIdentity(externalID: "user-4711", isAnonymous: false),
                of: app,
                caller: .commandLine
            )
            let late = try Self.payload(
                try apple.notification("account-delete", of: Self.person, for: Self.client) { _, event in
                    event["event_time"] = .integer(Int64(TestOffice.start.timeIntervalSince1970) * 1_000 - 60_000)
                }
            )
            _ = try await signIn(office, apple, during: named)
            #expect(try await office.backOffice.receiveAccountNotification(late))
            #expect(try await office.count("sign_in_identities") == 1)
            office.clock.advance(by: 5)
            try await tell("account-delete", office, apple)
            #expect(try await office.count("sign_in_identities") == 0)
            #expect(try await office.count("customers WHERE deleted_at IS NOT NULL") == 0)
            #expect(try await office.backOffice.customerSession(named.accessToken.revealed) != nil)
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

    /// Keys made once, for RSA keys are slow to make.
    private static let appleKeys = Result { try SimulatedAppleKeys() }

    /// Runs a test with an office whose app signs people in at the simulated store.
    private func run(
        isListening: Bool = true,
        _ body: (TestOffice, SimulatedAppleID) async throws -> Void
    ) async throws {
        let key = SimulatedAPIKey()
        // Tokens carry the office's time.
        let clock = SimulatedClock()
        clock.advance(by: TestOffice.start.timeIntervalSinceNow)
        let apple = try SimulatedAppleID(key: key, keys: Self.appleKeys.get(), clock: clock)
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
                let backOffice = office.anotherServer(secret: TestOffice.secret)
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

    private func signIn(
        _ office: TestOffice,
        _ apple: SimulatedAppleID,
        during tokens: CustomerTokens? = nil
    ) async throws -> SignedIn {
        let given = try apple.signIn(Self.person, to: Self.client, nonce: UUID().uuidString)
        var session: CustomerSession?
        if let tokens { session = try await office.backOffice.customerSession(tokens.accessToken.revealed) }
        return try await office.backOffice.signIn(
            SignInRequest(provider: .apple, code: Secret(given.code), identityToken: Secret(given.identityToken)),
            of: try await office.app(),
            during: session,
            caller: Caller(.stranger(claiming: nil), actor: "customer")
        )
    }

    /// Delivers a notification of Apple's about an account, signed by the office's clock.
    private func tell(_ type: String, _ office: TestOffice, _ apple: SimulatedAppleID) async throws {
        let now = office.clock.read().timeIntervalSince1970
        let body = try apple.notification(type, of: Self.person, for: Self.client) { _, event in
            event["event_time"] = .integer(Int64(now) * 1_000)
        }
        #expect(try await office.backOffice.receiveAccountNotification(try Self.payload(body)))
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
