import Billing
import Foundation
import Gateways
import Testing

@testable import StoreSimulator

@Suite("The simulated App Store's receipts and sign-in over HTTP")
struct SimulatedDesksTests {
    private static let end = Date(timeIntervalSince1970: 1_795_000_000)
    private static let authority = Result { try ReceiptAuthority() }
    private static let appleKeys = Result { try SimulatedAppleKeys() }

    private let lives = SimulatedSubscribers(seed: 19, customers: 30, months: 6, endingAt: Self.end)
    private let transport = HTTPStoreTransport()

    @Test("a customer's receipt is given out, is authentic, and verifyReceipt says what became of it")
    func receipts() async throws {
        try await with { store, desk in
            let told = lives.notifications()
            let customer = try #require(told.first { $0.transaction != nil && $0.environment == .production }?.customer)
            let receipt = try await receipt(of: customer, from: store)
            let signed = try AppleReceiptVerifier().verify(receipt, for: try app(), at: Self.end)
            let answered = try await client(of: store).verify(receipt, sharedSecret: Secret("s3cret"), for: try app())
            #expect(answered.environment == .production)
            #expect(answered.purchases.map(\.transactionID) == signed.purchases.map(\.transactionID))
            let ids = told.filter { $0.customer == customer }.compactMap(\.transaction?.id)
            #expect(Set(ids) == Set(answered.purchases.map(\.transactionID)))
            #expect(desk.store.asked == [.production: 1])
        }
    }

    @Test("verifyReceipt goes wrong as it is told to, by its status and as any other path")
    func faults() async throws {
        try await with { store, desk in
            let customer = try #require(lives.notifications().first { $0.environment == .production }?.customer)
            let receipt = try await receipt(of: customer, from: store)
            let body: JSON = ["status": 21_003]
            _ = try await ask(store, "/simulator/verifyReceipt", body)
            #expect(await code(receipt, of: store) == .invalidSignature)
            #expect(await code(receipt, of: store) == nil)
            store.fail(SimulatedFault(.status(503), onPath: "/verifyReceipt", times: 2))
            #expect(await code(receipt, of: store) == nil)
            store.fail(SimulatedFault(.malformed, onPath: "/verifyReceipt", times: 3))
            #expect(await code(receipt, of: store) == .unreachable)
            store.fail(SimulatedFault(.hangUpAfterEffect, onPath: "/verifyReceipt", times: 1))
            let before = desk.store.asked[.production] ?? 0
            #expect(await code(receipt, of: store) == nil)
            #expect(desk.store.asked[.production] == before + 2)
            await store.stop()
            #expect(await code(receipt, of: store) == .unreachable)
        }
    }

    @Test("what cannot be given out or understood is said", arguments: ["{}", "", #"{"appAccountToken":"x"}"#])
    func misunderstood(_ body: String) async throws {
        try await with { store, _ in
            let answers = [
                ("receipts", 404), ("verifyReceipt", 400), ("sign-in", 400), ("account-notifications", 400),
            ]
            for (path, expected) in answers {
                let status = try await status(of: store, "/simulator/\(path)", body)
                #expect(status == expected, "\(path)")
            }
        }
    }

    @Test("somebody signs in, is known by their token, and is told of when they leave")
    func signIn() async throws {
        try await with { store, _ in
            let configuration = try AppleSignInConfiguration(
                clientIDs: [lives.catalog.bundleID],
                teamID: SimulatedAppleID.simulatedTeam,
                keyID: store.key.keyID,
                key: Secret(store.key.pem),
                address: store.url(),
                isSimulated: true
            )
            let keys = JWTKeySet.apple(at: configuration.address, transport: transport)
            let client = AppleSignInClient(transport: transport, keys: keys, for: configuration)
            let verifier = AppleIdentityVerifier(keys: keys)
            let given = try await ask(
                store,
                "/simulator/sign-in",
                [
                    "clientId": .string(lives.catalog.bundleID), "subject": "001.a", "email": "a@example.com",
                    "nonce": "n",
                ]
            )
            let identity = try await verifier.verify(
                try #require(given["identityToken"]?.string),
                clientIDs: configuration.clientIDs,
                nonce: "n",
                at: Self.end
            )
            #expect(identity.subject == "001.a")
            #expect(identity.email == "a@example.com")
            let tokens = try await client.exchange(
                code: Secret(try #require(given["code"]?.string)),
                clientID: lives.catalog.bundleID,
                subject: "001.a",
                at: Self.end
            )
            let refreshToken = try #require(tokens.refreshToken)
            try await client.revoke(.refresh(refreshToken), clientID: lives.catalog.bundleID, at: Self.end)
            let failure = await #expect(throws: AppleSignInError.self) {
                try await client.refresh(refreshToken, clientID: lives.catalog.bundleID, subject: nil, at: Self.end)
            }
            #expect(failure?.code == .refused)
            let told = try await ask(
                store,
                "/simulator/account-notifications",
                ["clientId": .string(lives.catalog.bundleID), "subject": "001.a", "type": "consent-revoked"]
            )
            let notification = try await verifier.verify(
                notification: try #require(told["payload"]?.string),
                clientIDs: configuration.clientIDs,
                at: Self.end
            )
            #expect(notification.type == .consentRevoked)
            #expect(notification.subject == "001.a")
            await store.stop()
            let late = await #expect(throws: AppleSignInError.self) {
                try await client.refresh(refreshToken, clientID: lives.catalog.bundleID, subject: nil, at: Self.end)
            }
            #expect(late?.code == .unreachable)
        }
    }

    /// Runs a store while the body runs, at a time that stands still.
    private func with(_ body: (SimulatedAppleServer, SimulatedReceiptDesk) async throws -> Void) async throws {
        let clock = SimulatedClock(standingAt: Self.end)
        let key = SimulatedAPIKey()
        let desk = try SimulatedReceiptDesk(
            authority: Self.authority.get(),
            told: lives.notifications(),
            sharedSecret: "s3cret",
            clock: clock
        )
        let appleID = try SimulatedAppleID(key: key, keys: Self.appleKeys.get(), clock: clock)
        let store = SimulatedAppleServer(
            authority: try TestAuthority(),
            key: key,
            clock: clock,
            endpoints: desk.endpoints + appleID.endpoints + appleID.desk
        )
        try await store.start()
        do {
            try await body(store, desk)
        } catch {
            await store.stop()
            throw error
        }
        await store.stop()
    }

    private func app() throws -> AppleConfiguration {
        try AppleConfiguration(
            bundleID: lives.catalog.bundleID,
            appAppleID: lives.catalog.appAppleID,
            mode: .simulator(anchors: [Self.authority.get().root])
        )
    }

    private func client(of store: SimulatedAppleServer) throws -> VerifyReceiptClient {
        VerifyReceiptClient(
            transport: transport,
            addresses: try VerifyReceiptClient.Addresses(
                production: store.url(),
                sandbox: store.sandboxURL,
                isSimulated: true
            ),
            pause: { _ in }
        )
    }

    private func code(_ receipt: String, of store: SimulatedAppleServer) async -> GatewayError.Code? {
        do {
            _ = try await client(of: store).verify(receipt, sharedSecret: Secret("s3cret"), for: app())
            return nil
        } catch {
            return (error as? StoreFailure)?.reason.code
        }
    }

    private func receipt(of customer: UUID, from store: SimulatedAppleServer) async throws -> String {
        let given = try await ask(
            store,
            "/simulator/receipts",
            ["appAccountToken": .string(customer.uuidString.lowercased())]
        )
        return try #require(given["receipt"]?.string)
    }

    private func ask(_ store: SimulatedAppleServer, _ path: String, _ body: JSON) async throws -> JSON {
        let response = try await transport.send(
            StoreRequest("POST", store.url() + path, body: Data(body.bytes))
        )
        return try JSON(parsing: Array(response.body))
    }

    private func status(of store: SimulatedAppleServer, _ path: String, _ body: String) async throws -> Int {
        try await transport.send(StoreRequest("POST", store.url() + path, body: Data(body.utf8))).status
    }
}
