import Crypto
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Apple's identity token")
struct AppleIdentityVerifierTests {
    private let store: AppleIDStore

    init() throws {
        store = try AppleIDStore()
    }

    @Test("an authentic token says who signed in, with flags that are written as texts")
    func authentic() async throws {
        let identity = try await store.verify(token())
        #expect(identity.subject == AppleIDStore.anna.subject)
        #expect(identity.clientID == "com.example")
        #expect(identity.email == "x1y2@privaterelay.appleid.com")
        #expect(identity.isEmailVerified == true)
        #expect(identity.isPrivateEmail == true)
        #expect(identity.realUserStatus == .likelyReal)
        #expect(identity.issuedAt == AppleIDStore.start)
        #expect(identity.expiresAt == AppleIDStore.start.addingTimeInterval(86_400))
        #expect(identity.authenticatedAt == AppleIDStore.start)
        #expect(identity.transferSubject == nil)
    }

    @Test(
        "flags are flags, texts or numbers",
        arguments: [(true, true), ("true", true), (false, false), ("false", false), (1, true), (0, false)]
            as [(JSON, Bool)]
    )
    func flags(_ value: JSON, _ flag: Bool) async throws {
        let identity = try await store.verify(
            token { claims in
                claims["email_verified"] = value
                claims["is_private_email"] = value
            }
        )
        #expect(identity.isEmailVerified == flag)
        #expect(identity.isPrivateEmail == flag)
    }

    @Test("claims that are not there are not known; one that Apple adds later does not matter")
    func absent() async throws {
        let identity = try await store.verify(
            token { claims in
                for name in ["email", "email_verified", "is_private_email", "real_user_status", "auth_time", "iat"] {
                    claims[name] = nil
                }
                claims["real_user_status"] = 7
                claims["hologram"] = ["a": [1]]
            }
        )
        #expect(identity.email == nil)
        #expect(identity.isEmailVerified == nil)
        #expect(identity.realUserStatus == nil)
        #expect(identity.rawRealUserStatus == 7)
    }

    @Test(
        "what does not fit is refused, and the error names the claim",
        arguments: [
            ("iss", "https://appleid.apple.com.evil.example", .wrongIssuer), ("iss", nil, .wrongIssuer),
            ("aud", "com.example.other", .wrongAudience), ("aud", [], .wrongAudience), ("aud", nil, .missing),
            ("aud", ["com.example", 5], .malformed), ("exp", 1_750_000_000, .expired), ("exp", 1, .expired),
            ("exp", nil, .missing), ("exp", "1850000000", .malformed), ("exp", .number(1e300), .malformed),
            ("iat", 1_750_000_301, .issuedInFuture), ("iat", -1, .malformed), ("sub", nil, .missing),
            ("sub", "", .missing), ("sub", 5, .malformed), ("email", true, .malformed),
            ("email_verified", "perhaps", .malformed),
        ] as [(String, JSON?, JWTError.Code)]
    )
    func refused(_ name: String, _ value: JSON?, _ code: JWTError.Code) async throws {
        let token = try token { $0[name] = value }
        do throws(JWTError) {
            _ = try await store.verify(token)
            Issue.record("\(name) was accepted")
        } catch {
            #expect(error.code == code)
            #expect(error.field == name)
        }
    }

    @Test("an audience may be a list that has one of ours; the page's Services ID is ours too")
    func audiences() async throws {
        #expect(try await store.verify(token { $0["aud"] = ["x", "com.example"] }).clientID == "com.example")
        #expect(try await store.verify(token(for: "com.example.web")).clientID == "com.example.web")
    }

    @Test("a token is over at its end, to the second")
    func expiry() async throws {
        let token = try token()
        store.clock.advance(by: 86_399)
        #expect(await store.code(token) == nil)
        store.clock.advance(by: 1)
        #expect(await store.code(token) == .expired)
    }

    @Test(
        "only RS256 is accepted, whatever the header says",
        arguments: ["none", "HS256", "ES256", "RS512", "rs256", ""]
    )
    func algorithms(_ algorithm: String) async throws {
        let parts = try token().split(separator: ".")
        let header: JSON = ["alg": .string(algorithm), "kid": "SIMKEY0002"]
        let changed = String(decoding: Base64.encode(url: header.bytes), as: UTF8.self)
        #expect(await store.code("\(changed).\(parts[1]).\(parts[2])") == .unsupportedAlgorithm)
        #expect(await store.code("\(changed).\(parts[1]).") != nil)
        #expect(store.apple.keysAsked == 0)
    }

    @Test("a token that was changed, cut, or signed by somebody else is refused")
    func signatures() async throws {
        let token = try token()
        let parts = token.split(separator: ".").map(String.init)
        var claims = try JSON(parsing: try #require(Base64.decode(url: parts[1].utf8)))
        claims["sub"] = "somebody.else"
        let changed = String(decoding: Base64.encode(url: claims.bytes), as: UTF8.self)
        #expect(await store.code("\(parts[0]).\(changed).\(parts[2])") == .invalidSignature)
        #expect(await store.code("\(parts[0]).\(parts[1]).AAAA") == .invalidSignature)
        let thief = try AppleIDStore(isApple: false)
        #expect(
            await store.code(try thief.apple.identityToken(AppleIDStore.anna, for: "com.example")) == .invalidSignature
        )
        for text in ["", "a", "a.b", "a.b.c", "..", "e30.e30.e30", token + ".x", token + "=", "é.é.é"] {
            let code = await store.code(text)
            #expect(code == .malformed || code == .unsupportedAlgorithm || code == .missing, "\(text)")
        }
        #expect(await store.code(String(repeating: "a", count: 70_000)) == .malformed)
    }

    @Test("the nonce is the app's own, as it is or as its SHA-256 in hexadecimal")
    func nonces() async throws {
        let hash = SHA256.hash(data: Data("n-0S6_WzA2Mj".utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(await store.code(try token(nonce: "n-0S6_WzA2Mj"), nonce: "n-0S6_WzA2Mj") == nil)
        #expect(await store.code(try token(nonce: hash), nonce: "n-0S6_WzA2Mj") == nil)
        #expect(await store.code(try token(nonce: hash.uppercased()), nonce: "n-0S6_WzA2Mj") == nil)
        #expect(await store.code(try token(nonce: "another"), nonce: "n-0S6_WzA2Mj") == .wrongNonce)
        #expect(await store.code(try token(), nonce: "n-0S6_WzA2Mj") == .wrongNonce)
        #expect(await store.code(try token(nonce: hash), nonce: "") == .wrongNonce)
        #expect(await store.code(try token { $0["nonce_supported"] = false }, nonce: "n") == nil)
        #expect(await store.code(try token(nonce: "another")) == nil, "an app that sends none does not look")
    }

    private func token(
        for clientID: String = AppleIDStore.clientID,
        nonce: String? = nil,
        bend: (inout JSON) -> Void = { _ in }
    ) throws -> String {
        try store.apple.identityToken(AppleIDStore.anna, for: clientID, nonce: nonce, bend: bend)
    }
}
