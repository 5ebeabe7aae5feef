import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("What Apple tells about an account")
struct AppleAccountNotificationTests {
    private let store: AppleIDStore

    init() throws {
        store = try AppleIDStore()
    }

    @Test(
        "each type is known, account deletion by both of its names",
        arguments: [
            ("email-enabled", .emailEnabled), ("email-disabled", .emailDisabled), ("consent-revoked", .consentRevoked),
            ("account-delete", .accountDeleted), ("account-deleted", .accountDeleted), ("account-frozen", nil),
        ] as [(String, AppleAccountNotification.EventType?)]
    )
    func types(_ name: String, _ type: AppleAccountNotification.EventType?) async throws {
        let told = try await read(name)
        #expect(told.type == type)
        #expect(told.rawType == name)
        #expect(told.subject == AppleIDStore.anna.subject)
        #expect(told.clientID == "com.example")
        #expect(told.id?.isEmpty == false)
        #expect(told.email == (name.hasPrefix("email") ? AppleIDStore.anna.email : nil))
        #expect(told.isPrivateEmail == (name.hasPrefix("email") ? true : nil))
    }

    @Test("the event is a text of JSON, or an object")
    func objects() async throws {
        let told = try await read("consent-revoked") { claims, event in claims["events"] = event }
        #expect(told.type == .consentRevoked)
    }

    @Test(
        "its time is in milliseconds or in seconds",
        arguments: [1_750_000_000_000, 1_750_000_000, "1750000000", "1750000000000"] as [JSON]
    )
    func times(_ time: JSON) async throws {
        let told = try await read("consent-revoked") { $1["event_time"] = time }
        #expect(told.happenedAt == AppleIDStore.start)
    }

    @Test("it has no end, and one that has an end is over then")
    func ends() async throws {
        store.clock.advance(by: 3_600)
        _ = try await read("consent-revoked")
        #expect(await code("consent-revoked") { claims, _ in claims["exp"] = 1_750_000_001 } == .expired)
    }

    @Test("what is not Apple's, not for an app here, or says nothing is refused")
    func refused() async throws {
        #expect(await code("consent-revoked") { claims, _ in claims["iss"] = "https://example.com" } == .wrongIssuer)
        #expect(await code("consent-revoked") { claims, _ in claims["aud"] = "com.other" } == .wrongAudience)
        #expect(await code("consent-revoked") { claims, _ in claims["iat"] = 1_750_001_000 } == .issuedInFuture)
        #expect(await code("consent-revoked") { claims, _ in claims["events"] = "{" } == .malformed)
        #expect(await code("consent-revoked") { claims, _ in claims["events"] = 5 } == .missing)
        #expect(await code("consent-revoked") { claims, _ in claims["events"] = [] } == .missing)
        #expect(await code("consent-revoked") { claims, _ in claims["events"] = "[]" } == .malformed)
        #expect(await code("consent-revoked") { _, event in event["sub"] = nil } == .missing)
        #expect(await code("consent-revoked") { _, event in event["type"] = nil } == .missing)
        #expect(await code("consent-revoked") { _, event in event["event_time"] = .integer(.min) } == .malformed)
        #expect(await code("consent-revoked") { _, event in event["event_time"] = .integer(.max) } == .malformed)
        let thief = try AppleIDStore(isApple: false)
        let forged = try payload(
            of: thief.apple.notification("account-delete", of: AppleIDStore.anna, for: "com.example")
        )
        await #expect(throws: JWTError.self) {
            try await store.verifier.verify(notification: forged, clientIDs: ["com.example"], at: store.clock.now)
        }
    }

    private func read(
        _ type: String,
        bend: (inout JSON, inout JSON) -> Void = { _, _ in }
    ) async throws -> AppleAccountNotification {
        let body = try store.apple.notification(type, of: AppleIDStore.anna, for: "com.example", bend: bend)
        return try await store.verifier.verify(
            notification: payload(of: body),
            clientIDs: ["com.example", "com.example.web"],
            at: store.clock.now
        )
    }

    private func code(_ type: String, bend: (inout JSON, inout JSON) -> Void) async -> JWTError.Code? {
        do {
            _ = try await read(type, bend: bend)
            return nil
        } catch {
            return (error as? JWTError)?.code
        }
    }

    private func payload(of body: Data) throws -> String {
        try #require(try JSON(parsing: Array(body))["payload"]?.string)
    }
}
