import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("App and environment of a notification")
struct AppleIdentityTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test("another app's notification is refused, by its bundle id and in production by its Apple ID")
    func otherApp() async throws {
        var other = TestNotification()
        other.data["bundleId"] = "com.example.x"
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongApp)
        other = TestNotification()
        other.data["appAppleId"] = 1_235
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongApp)
        other.data["appAppleId"] = nil
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongApp)
        let unset = try AppleConfiguration.test(anchors: [store.chain.root], appAppleID: nil)
        #expect(await store.code(try TestNotification().signed(by: store.chain), for: unset) == .wrongApp)
        other = TestNotification()
        other.bodyName = "nothing"
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongApp)
    }

    @Test("a Sandbox notification needs no Apple ID, and an app that takes Sandbox in")
    func sandbox() async throws {
        let payload = try store.inEnvironment("Sandbox").signed(by: store.chain)
        let notification = try await store.verify(payload)
        #expect(notification.environment == .sandbox)
        #expect(notification.appAppleID == nil)
        let strict = try AppleConfiguration.test(anchors: [store.chain.root], acceptsSandbox: false)
        #expect(await store.code(payload, for: strict) == .wrongEnvironment)
    }

    @Test(
        "the unsigned worlds of a developer's machine are refused",
        arguments: ["Xcode", "LocalTesting", "sandbox", ""]
    )
    func environments(_ environment: String) async throws {
        #expect(await store.code(try store.inEnvironment(environment).signed(by: store.chain)) == .wrongEnvironment)
    }

    @Test("the inner tokens must be signed by a trusted chain, of this app and of this environment")
    func inner() async throws {
        #expect(await store.code(try TestNotification().signed(by: store.chain, inner: TestChain())) == .invalidChain)
        var other = TestNotification()
        other.transaction?["bundleId"] = "com.example.x"
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongApp)
        other.transaction?["bundleId"] = nil
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongApp)
        other = TestNotification()
        other.transaction?["environment"] = "Sandbox"
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongEnvironment)
        other = TestNotification()
        other.renewal?["environment"] = "Sandbox"
        #expect(await store.code(try other.signed(by: store.chain)) == .wrongEnvironment)
        other = TestNotification()
        other.transaction = nil
        other.data["signedTransactionInfo"] = "a.b.c"
        #expect(await store.code(try other.signed(by: store.chain)) == .malformed)
    }

    @Test("the four bodies: summaries, external purchases and withdrawn consents are read too")
    func bodies() async throws {
        var summary = TestNotification().of("RENEWAL_EXTENSION", "SUMMARY")
        summary.transaction = nil
        summary.renewal = nil
        summary.bodyName = "summary"
        summary.data["requestIdentifier"] = "efb27071-45a4-4aca-9854-2a1e9146f265"
        summary.data["storefrontCountryCodes"] = ["CAN", "USA"]
        summary.data["succeededCount"] = 5
        let read = try await store.verify(summary.signed(by: store.chain))
        #expect(read.summary?.storefrontCountryCodes == ["CAN", "USA"])
        #expect(read.summary?.succeededCount == 5)
        var token = TestNotification().of("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED")
        token.transaction = nil
        token.renewal = nil
        token.bodyName = "externalPurchaseToken"
        token.data = ["bundleId": "com.example", "externalPurchaseId": "SANDBOX_b2158121"]
        #expect(try await store.verify(token.signed(by: store.chain)).environment == .sandbox)
        var consent = TestNotification().of("RESCIND_CONSENT", nil)
        consent.transaction = nil
        consent.renewal = nil
        consent.bodyName = "appData"
        let appTransaction: JSON = [
            "receiptType": "Production", "bundleId": "com.example", "receiptCreationDate": 1_750_000_000_000,
        ]
        consent.data["signedAppTransactionInfo"] = .string(try store.chain.sign(appTransaction))
        let rescinded = try await store.verify(consent.signed(by: store.chain))
        #expect(rescinded.appTransaction == appTransaction)
        consent.data["signedAppTransactionInfo"] = .string(try TestChain().sign(appTransaction))
        #expect(await store.code(try consent.signed(by: store.chain)) == .invalidChain)
    }
}
