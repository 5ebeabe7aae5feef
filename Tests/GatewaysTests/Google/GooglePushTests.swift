import Billing
import Crypto
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Who may push Google's notifications") struct GooglePushTests {
    private func failure(_ store: GoogleStore, claims: [String: JSON]) async throws -> GatewayError? {
        let push = try #require(store.google.pushes.last)
        return await failure(store, try store.google.delivery(of: push, claims: claims))
    }

    private func failure(
        _ store: GoogleStore,
        _ delivery: StoreDelivery,
        account change: (inout StoreAccount) -> Void = { _ in }
    ) async -> GatewayError? {
        var account = store.account
        change(&account)
        do throws(GatewayError) {
            _ = try await store.gateway.open(delivery).verify(for: account, at: store.now)
            return nil
        } catch {
            return error
        }
    }

    @Test("a token of Google's for this app and this pusher is believed; one word otherwise, and it is not")
    func claims() async throws {
        try await GoogleStore.run { store in
            store.google.buy(GoogleStore.monthly)
            let now = Int64(store.now.timeIntervalSince1970)
            let good: [[String: JSON]] = [
                [:], ["iss": "accounts.google.com"], ["iat": .integer(now + 30), "exp": .integer(now - 30)],
            ]
            for claims in good {
                let found = try await failure(store, claims: claims)
                #expect(found == nil, "\(claims)")
            }
            let wrong: [([String: JSON], GatewayError.Code)] = [
                (["iss": "https://accounts.example.com"], .invalidSignature), (["iss": .null], .invalidSignature),
                (["aud": "https://other.test/webhooks/google"], .wrongApp), (["aud": .null], .missing),
                (["aud": ["a", 7]], .malformed), (["email": "somebody@else.iam.gserviceaccount.com"], .wrongApp),
                (["email": .null], .missing), (["email": 7], .malformed), (["email_verified": false], .wrongApp),
                (["email_verified": .null], .wrongApp), (["exp": .integer(now - 120)], .invalidSignature),
                (["exp": .null], .missing), (["exp": "soon"], .malformed),
                (["iat": .integer(now + 120)], .signedInFuture),
                (["iat": .null], .missing), (["nbf": .integer(now + 120)], .signedInFuture),
            ]
            for (claims, code) in wrong {
                let found = try await failure(store, claims: claims)
                #expect(found?.code == code, "\(claims)")
            }
        }
    }

    @Test("without a token, with another's key, or with none of Google's ways to sign, nobody is believed")
    func signatures() async throws {
        try await GoogleStore.run { store in
            store.google.buy(GoogleStore.monthly)
            let push = try #require(store.google.pushes.last)
            let good = try store.google.delivery(of: push)
            let token = try #require(good.headers["authorization"])
            func failure(_ authorization: String?) async -> GatewayError.Code? {
                var delivery = good
                delivery.headers["authorization"] = authorization
                return await self.failure(store, delivery)?.code
            }
            #expect(await failure(nil) == .missing)
            #expect(await failure("") == .missing)
            #expect(await failure("Basic abc") == .missing)
            #expect(await failure("Bearer ") == .malformed)
            #expect(await failure("Bearer a.b") == .malformed)
            #expect(await failure("bearer \(token.dropFirst(7))") == nil)
            #expect(await failure("Bearer \(String(repeating: "a", count: 9_000))") == .malformed)
            let claims: JSON = [
                "iss": "https://accounts.google.com", "aud": .string(store.google.audience),
                "email": .string(store.google.pushAccount), "email_verified": true,
                "iat": .integer(Int64(store.now.timeIntervalSince1970)),
                "exp": .integer(Int64(store.now.timeIntervalSince1970) + 600),
            ]
            let stranger = try GoogleStore.serviceKey.get()
            #expect(
                await failure("Bearer \(try GoogleSigner(stranger, keyID: "sim-kid").sign(claims))")
                    == .invalidSignature
            )
            #expect(
                await failure("Bearer \(try GoogleSigner(stranger, keyID: "other").sign(claims))") == .invalidSignature
            )
            let none = Base64.encode(url: (["alg": "none", "kid": "sim-kid"] as JSON).bytes) + Array(".".utf8)
            let unsigned = none + Base64.encode(url: claims.bytes) + Array(".".utf8)
            #expect(await failure("Bearer \(String(decoding: unsigned, as: UTF8.self))") == .unsupportedAlgorithm)
            let parts = token.split(separator: ".")
            #expect(await failure("\(parts[0]).\(parts[1]).\(parts[2].dropLast(4))AAAA") == .invalidSignature)
        }
    }

    @Test("another package, another subscription, and an app that says no pusher are refused") func accounts()
        async throws
    {
        try await GoogleStore.run { store in
            store.google.buy(GoogleStore.monthly)
            let delivery = try store.google.delivery(of: try #require(store.google.pushes.last))
            let unverified = try store.gateway.open(delivery)
            #expect(try unverified.claimedIdentifier == "com.example.app")
            #expect(await failure(store, delivery) { $0.identifier = "com.example.other" }?.code == .wrongApp)
            let other = "projects/sim/subscriptions/other"
            #expect(
                await failure(store, delivery) { $0.settings[GoogleSetting.pushSubscription] = other }?.code
                    == .wrongApp
            )
            #expect(
                await failure(store, delivery) { account in
                    account.settings[GoogleSetting.pushAudience] = nil
                    account.settings[GoogleSetting.pushAccount] = nil
                }?.code == .misconfigured
            )
        }
    }

    @Test("while Google's keys cannot be had, it is for later") func noKeys() async throws {
        try await GoogleStore.run { store in
            store.google.buy(GoogleStore.monthly)
            store.google.be(.page(503), at: "/oauth2/v3/certs", times: 9)
            let away = try await failure(store, claims: [:])
            #expect(away?.code == .unreachable)
            store.google.mend()
            store.days(0.001)
            let back = try await failure(store, claims: [:])
            #expect(back == nil)
        }
    }

    @Test(
        "what is no push is refused in a plain sentence",
        arguments: [
            "", "null", "[]", "{}", #"{"message":7}"#, #"{"message":{}}"#, #"{"message":{"messageId":"1"}}"#,
            #"{"message":{"messageId":"1","data":"***"}}"#, #"{"message":{"messageId":"","data":"e30="}}"#,
            #"{"message":{"messageId":7,"data":"e30="}}"#, #"{"message":{"messageId":"1","data":"bnVsbA=="}}"#,
            #"{"message":{"messageId":"1","data":"eyJzdWJzY3JpcHRpb25Ob3RpZmljYXRpb24iOnt9fQ=="}}"#,
        ]
    )
    func malformed(text: String) {
        #expect(throws: GatewayError.self) { try GooglePush(text) }
    }

    @Test("a push has a bound, and says one thing") func bounds() throws {
        let long = #"{"message":{"messageId":"1","data":"e30="},"x":"\#(String(repeating: "a", count: 300_000))"}"#
        #expect(throws: GatewayError.self) { try GooglePush(long) }
        let two: JSON = [
            "packageName": "a.b", "testNotification": ["version": "1.0"],
            "oneTimeProductNotification": ["purchaseToken": "t", "notificationType": 1, "sku": "s"],
        ]
        #expect(throws: GatewayError.self) { try GoogleNotification(two) }
        let late: JSON = ["packageName": "a.b", "eventTimeMillis": 1_700_000_000_000, "testNotification": [:]]
        #expect(try GoogleNotification(late).eventTime == Date(timeIntervalSince1970: 1_700_000_000))
        let text: JSON = ["packageName": "a.b", "eventTimeMillis": "1700000000000", "testNotification": [:]]
        #expect(try GoogleNotification(text).eventTime == Date(timeIntervalSince1970: 1_700_000_000))
    }

    @Test("the vectors' token, made by an independent client, is believed with its key; its push is read")
    func vectors() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Interop/google_vectors.json")
        let vectors = try JSON(parsing: Array(try Data(contentsOf: file)))
        let push = try GooglePush(try #require(vectors["push_body"]?.string))
        #expect(push.messageID == "136969346945")
        #expect(push.notification.packageName == "com.example.app")
        #expect(push.notification.content == .subscription(token: "token-1", type: 4))
        #expect(push.subscription == "projects/sim/subscriptions/rtdn")
        let key = try _RSA.Signing.PublicKey(pemRepresentation: try #require(vectors["public_key_pem"]?.string))
        let parts = try key.getKeyPrimitives()
        func text(_ data: Data) -> JSON { .string(String(decoding: Base64.encode(url: Array(data)), as: UTF8.self)) }
        let described: JSON = [
            "kty": "RSA", "alg": "RS256", "use": "sig", "kid": vectors["kid"] ?? .null, "n": text(parts.modulus),
            "e": text(parts.publicExponent),
        ]
        let jwk = try #require(JWTKey(described))
        let keys = JWTKeySet(of: "Google", pace: .init(interval: 1, lifetime: 3_600, isLastWordFinal: true)) { _ in
            [jwk]
        }
        let pusher = GoogleConfiguration.Push(
            audience: "https://example.test/google/rtdn",
            account: "pubsub-push@sim.iam.gserviceaccount.com",
            certificates: ""
        )
        let token = "Bearer \(try #require(vectors["jwt"]?.string))"
        let verifier = GooglePushVerifier(keys: keys)
        let then = Date(timeIntervalSince1970: 1_700_000_100)
        try await verifier.verify(token, of: pusher, at: then)
        await #expect(throws: GatewayError.self) {
            try await verifier.verify(token, of: pusher, at: then.addingTimeInterval(7_200))
        }
        await #expect(throws: GatewayError.self) { try await verifier.verify(token + "A", of: pusher, at: then) }
    }
}
