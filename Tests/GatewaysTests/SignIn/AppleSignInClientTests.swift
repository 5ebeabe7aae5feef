import Billing
import Crypto
import Foundation
import StoreSimulator
import Synchronization
import Testing

@testable import Gateways

@Suite("Asking Apple's sign-in")
struct AppleSignInClientTests {
    private let store: AppleIDStore
    private let anna = AppleIDStore.anna

    init() throws {
        store = try AppleIDStore()
    }

    @Test("a code becomes tokens of the same person")
    func exchanged() async throws {
        let (code, identityToken) = try store.apple.signIn(anna, to: "com.example")
        let identity = try await store.verify(identityToken)
        let tokens = try await store.client.exchange(
            code: Secret(code),
            clientID: "com.example",
            subject: identity.subject,
            at: store.clock.now
        )
        #expect(tokens.identity.subject == anna.subject)
        #expect(tokens.refreshToken != nil)
        #expect("\(tokens)".contains("(secret)"))
        let again = try await store.client.refresh(
            try #require(tokens.refreshToken),
            clientID: "com.example",
            subject: anna.subject,
            at: store.clock.now
        )
        #expect(again.refreshToken == nil)
        #expect(again.identity.subject == anna.subject)
    }

    @Test("a code is good once, for five minutes, for its app, and for its person")
    func codes() async throws {
        let used = try store.apple.signIn(anna, to: "com.example").code
        #expect(await exchange(used) == nil)
        #expect(await exchange(used) == .refused)
        #expect(await exchange("never given out") == .refused)
        let others = try store.apple.signIn(anna, to: "com.example.web").code
        #expect(await exchange(others) == .refused)
        let somebodys = try store.apple.signIn(SimulatedAppleAccount(subject: "002"), to: "com.example").code
        #expect(await exchange(somebodys, subject: anna.subject) == .wrongSubject)
        let old = try store.apple.signIn(anna, to: "com.example").code
        store.clock.advance(by: 301)
        #expect(await exchange(old) == .refused)
    }

    @Test("the address that a page was sent back to goes along, and only then")
    func redirects() async throws {
        let page = "https://example.com/back?a=b&c=d e"
        let code = try store.apple.signIn(anna, to: "com.example.web", redirectURI: page).code
        _ = try await store.client.exchange(
            code: Secret(code),
            clientID: "com.example.web",
            redirectURI: page,
            subject: nil,
            at: store.clock.now
        )
        let other = try store.apple.signIn(anna, to: "com.example", redirectURI: page).code
        #expect(await exchange(other) == .misconfigured)
    }

    @Test("what was revoked cannot be refreshed, and can be revoked again", arguments: [true, false])
    func revoked(_ byAccessToken: Bool) async throws {
        let code = try store.apple.signIn(anna, to: "com.example").code
        let tokens = try await store.client.exchange(
            code: Secret(code),
            clientID: "com.example",
            subject: nil,
            at: store.clock.now
        )
        let refreshToken = try #require(tokens.refreshToken)
        for _ in 0..<2 {
            try await store.client.revoke(
                byAccessToken ? .access(tokens.accessToken) : .refresh(refreshToken),
                clientID: "com.example",
                at: store.clock.now
            )
        }
        #expect(store.apple.revoked.count == 1)
        await #expect(throws: AppleSignInError.self) {
            try await store.client.refresh(refreshToken, clientID: "com.example", subject: nil, at: store.clock.now)
        }
    }

    @Test(
        "Apple's errors say whether to try again, to mend the setting, or to give up",
        arguments: [
            ("invalid_grant", .refused), ("invalid_client", .misconfigured), ("unauthorized_client", .misconfigured),
            ("invalid_request", .misconfigured), ("unsupported_grant_type", .misconfigured),
            ("invalid_scope", .misconfigured), ("something_new", .unreachable),
        ] as [(String, AppleSignInError.Code)]
    )
    func errors(_ name: String, _ expected: AppleSignInError.Code) async throws {
        store.apple.refuse(with: name)
        #expect(await exchange(try store.apple.signIn(anna, to: "com.example").code) == expected)
    }

    @Test("answers that are not Apple's are for later")
    func noAnswers() async throws {
        let responses = [
            StoreResponse(status: 503), StoreResponse(status: 429),
            StoreResponse(status: 200, body: Data("<html>".utf8)),
            StoreResponse(status: 200, body: Data("{}".utf8)), StoreResponse(status: 400, body: Data("no".utf8)),
            StoreResponse(status: 302, headers: ["location": "https://evil.example"]),
        ]
        for response in responses {
            let client = AppleSignInClient(
                transport: PreparedTransport { response },
                keys: store.keys,
                for: store.app
            )
            do throws(AppleSignInError) {
                _ = try await client.exchange(
                    code: Secret("c"),
                    clientID: "com.example",
                    subject: nil,
                    at: store.clock.now
                )
                Issue.record("\(response) was taken")
            } catch {
                #expect(error.code == .unreachable)
            }
        }
    }

    @Test("a client id that is not the app's is not shown to Apple")
    func otherClient() async {
        do throws(AppleSignInError) {
            _ = try await store.client.exchange(
                code: Secret("c"),
                clientID: "com.other",
                subject: nil,
                at: store.clock.now
            )
            Issue.record("it was")
        } catch {
            #expect(error.code == .misconfigured)
        }
    }

    @Test("another key than the team's is refused by Apple, and said to be our setting")
    func otherKey() async throws {
        let app = try AppleSignInConfiguration(
            clientIDs: ["com.example"],
            teamID: "TEAM123456",
            keyID: "KEY1234567",
            key: Secret(P256.Signing.PrivateKey().pemRepresentation),
            address: EndpointTransport.address,
            isSimulated: true
        )
        let client = AppleSignInClient(
            transport: EndpointTransport(endpoints: store.apple.endpoints),
            keys: store.keys,
            for: app
        )
        let code = try store.apple.signIn(anna, to: "com.example").code
        do throws(AppleSignInError) {
            _ = try await client.exchange(
                code: Secret(code),
                clientID: "com.example",
                subject: nil,
                at: store.clock.now
            )
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .misconfigured)
        }
    }

    @Test("the secret lives five minutes, and never longer than Apple allows")
    func secret() throws {
        for (asked, given) in [(300, 300), (0, 1), (-5, 1), (.max, 15_777_000)] as [(Int64, Int64)] {
            let secret = try AppleClientSecret.sign(
                clientID: "a",
                for: store.app,
                at: AppleIDStore.start,
                lifetime: asked
            )
            let parts = secret.split(separator: ".")
            let claims = try JSON(parsing: try #require(Base64.decode(url: parts[1].utf8)))
            #expect(claims["iat"] == 1_750_000_000)
            #expect(claims["exp"] == .integer(1_750_000_000 + given))
            #expect(claims["iss"] == "TEAM123456")
            #expect(claims["sub"] == "a")
            #expect(claims["aud"] == "https://appleid.apple.com")
            let header = try JSON(parsing: try #require(Base64.decode(url: parts[0].utf8)))
            #expect(header == ["alg": "ES256", "kid": "KEY1234567", "typ": "JWT"])
        }
    }

    @Test("a setting that cannot work is named")
    func settings() {
        let key = Secret(store.key.pemRepresentation)
        let wrong: [(String, Set<String>, String, String, Secret)] = [
            ("clientIds", [], "T", "K", key), ("clientIds", [""], "T", "K", key), ("teamId", ["a"], "", "K", key),
            ("keyId", ["a"], "T", "", key), ("key", ["a"], "T", "K", Secret("-----BEGIN nonsense")),
        ]
        for (field, clients, team, id, key) in wrong {
            do throws(AppleSignInError) {
                _ = try AppleSignInConfiguration(clientIDs: clients, teamID: team, keyID: id, key: key)
                Issue.record("\(field) was taken")
            } catch {
                #expect(error.code == .misconfigured)
                #expect(error.field == field)
            }
        }
        for address in ["http://store.test", "store.test", "https://u:p@store.test"] {
            let failure = #expect(throws: AppleSignInError.self) {
                try AppleSignInConfiguration(clientIDs: ["a"], teamID: "T", keyID: "K", key: key, address: address)
            }
            #expect(failure?.code == .misconfigured)
            #expect(failure?.field == "id")
        }
    }

    private func exchange(_ code: String, subject: String? = nil) async -> AppleSignInError.Code? {
        do throws(AppleSignInError) {
            _ = try await store.client.exchange(
                code: Secret(code),
                clientID: "com.example",
                subject: subject,
                at: store.clock.now
            )
            return nil
        } catch {
            return error.code
        }
    }
}
