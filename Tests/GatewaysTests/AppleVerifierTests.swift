import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("Apple's ladder of verification")
struct AppleVerifierTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test("an authentic notification is read, with what its inner tokens say")
    func authentic() async throws {
        let notification = try await store.verify(TestNotification().signed(by: store.chain))
        #expect(notification.notificationType == .subscribed)
        #expect(notification.subtype == .initialBuy)
        #expect(notification.environment == .production)
        #expect(notification.status == .active)
        #expect(notification.transaction?.price == 18_000)
        #expect(notification.renewal?.renewsAutomatically == true)
        #expect(notification.signedDate == TestNotification.now)
    }

    @Test("a notification that was verified before is verified again, by the remembered chain")
    func remembered() async throws {
        let payload = try TestNotification().signed(by: store.chain)
        for _ in 0..<3 { _ = try await store.verify(payload) }
        let tampered = try store.tamper(payload)
        #expect(await store.code(tampered) == .invalidSignature)
    }

    @Test(
        "what is no JWS of three base64url parts over JSON is malformed",
        arguments: [
            "", "a", "a.b", "a.b.c", "a.b.c.d", "..", "e30.e30.e30=", "e30.e30.", "e30.e3 0.e30", "e30.W10.e30",
            "bnVsbA.e30.AA",
        ]
    )
    func malformed(_ payload: String) async {
        let code = await store.code(payload)
        #expect(code == .malformed || code == .unsupportedAlgorithm)
        #expect((try? AppleEnvelope(payload).unverifiedBundleID) == nil)
    }

    @Test("only ES256 is accepted", arguments: ["none", "HS256", "ES384", "es256", "RS256", ""])
    func algorithms(_ algorithm: String) async throws {
        #expect(
            await store.code(try store.chain.sign(TestNotification().payload, algorithm: algorithm))
                == .unsupportedAlgorithm
        )
        #expect(
            await store.code(try store.chain.sign(Array("{}".utf8), header: ["x5c": store.chain.honestX5C]))
                == .unsupportedAlgorithm
        )
    }

    @Test("a signature that is cut, empty or over something else is invalid")
    func signatures() async throws {
        let payload = try TestNotification().signed(by: store.chain)
        #expect(await store.code(String(payload.dropLast(2))) == .invalidSignature)
        #expect(await store.code(payload + "AAAA") == .invalidSignature)
        #expect(await store.code(try store.tamper(payload)) == .invalidSignature)
        let cut = payload.split(separator: ".").dropLast().joined(separator: ".") + "."
        #expect([.invalidSignature, .malformed].contains(await store.code(cut)))
    }

    @Test("a signed date more than five minutes ahead is refused, in the inner tokens too")
    func future() async throws {
        let payload = try TestNotification().signed(by: store.chain)
        #expect(await store.code(payload, at: TestNotification.now.addingTimeInterval(-300)) == nil)
        #expect(await store.code(payload, at: TestNotification.now.addingTimeInterval(-300.1)) == .signedInFuture)
        var inner = TestNotification()
        inner.transaction?["signedDate"] = 1_750_000_301_000
        #expect(await store.code(try inner.signed(by: store.chain)) == .signedInFuture)
    }

    @Test("a peek finds the app in each of the four bodies and nothing where there is none")
    func peek() throws {
        for body in ["data", "summary", "externalPurchaseToken", "appData"] {
            var notification = TestNotification()
            notification.bodyName = body
            #expect(try AppleEnvelope(notification.signed(by: store.chain)).unverifiedBundleID == "com.example")
        }
        #expect(try AppleEnvelope(store.chain.sign(["data": .null])).unverifiedBundleID == nil)
    }

    @Test("an anchor that is no certificate, or a simulator without one, is a setting that cannot work")
    func misconfigured() {
        #expect(error(.misconfigured) { _ = try AppleConfiguration.test(anchors: []) })
        #expect(error(.misconfigured) { _ = try AppleConfiguration.test(anchors: [[1, 2, 3]]) })
        #expect(
            error(.misconfigured) {
                _ = try AppleConfiguration(bundleID: "a", appAppleID: nil, extraAnchors: [[1, 2, 3]])
            }
        )
        #expect(
            error(.misconfigured) {
                _ = try AppleConfiguration(
                    bundleID: "a",
                    appAppleID: nil,
                    mode: .simulator(anchors: [store.chain.root]),
                    extraAnchors: [store.chain.root]
                )
            }
        )
    }
}
