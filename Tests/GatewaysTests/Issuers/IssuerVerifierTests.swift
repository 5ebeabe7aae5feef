import Billing
import Crypto
import Foundation
import Synchronization
import Testing

@testable import Gateways

@Suite("Tokens of apps' own issuers") struct IssuerVerifierTests {
    @Test("a token that the issuer signed says who it is", arguments: [IssuerOfTests.Kind.es256, .eddsa, .hs256])
    func signed(_ kind: IssuerOfTests.Kind) async throws {
        let issuer = IssuerOfTests(kind)
        let identity = try await issuer.verify(try issuer.token())
        #expect(identity?.externalID == "user-1")
        #expect(identity?.issuedAt == IssuerOfTests.now)
        #expect(identity?.expiresAt == IssuerOfTests.now.addingTimeInterval(3_600))
    }

    @Test("what says something else than it has to is nobody's", arguments: refusedClaims)
    func wrong(_ claims: [String: JSON]) async throws {
        let issuer = IssuerOfTests(.es256)
        #expect(try await issuer.verify(try issuer.token(claims)) == nil)
    }

    @Test("what is within the leeway, or says more than it has to, is taken", arguments: acceptedClaims)
    func right(_ claims: [String: JSON]) async throws {
        let issuer = IssuerOfTests(.es256)
        #expect(try await issuer.verify(try issuer.token(claims)) != nil)
    }

    @Test("neither no algorithm, nor another one, nor an extension gets a token in")
    func algorithms() async throws {
        let issuer = IssuerOfTests(.es256)
        let header: JSON = ["alg": "ES256", "kid": "k1"]
        for altered: JSON in [
            ["alg": "none", "kid": "k1"], ["alg": "None"], ["alg": "HS256", "kid": "k1"],
            ["alg": "RS256", "kid": "k1"],
            ["alg": "EdDSA", "kid": "k1"], ["alg": "ES384", "kid": "k1"], ["alg": 1], ["kid": "k1"],
            ["alg": "ES256", "kid": 1], ["alg": "ES256", "kid": "k2"],
            ["alg": "ES256", "kid": "k1", "crit": ["exp"]], ["alg": "ES256", "kid": "k1", "crit": []],
        ] {
            #expect(try await issuer.verify(try issuer.token(header: altered)) == nil, "\(altered)")
        }
        #expect(try await issuer.verify(try issuer.token(header: header)) != nil)
        // Its only key needs no id.
        #expect(try await issuer.verify(try issuer.token(header: ["alg": "ES256"])) != nil)
    }

    @Test("a public key is never taken for a shared secret")
    func confusion() async throws {
        let issuer = IssuerOfTests(.es256)
        let signing = try issuer.signingInput(header: ["alg": "HS256", "kid": "k1"], [:])
        for key in issuer.publicTexts {
            let code = HMAC<SHA256>.authenticationCode(for: Data(signing.utf8), using: SymmetricKey(data: key))
            let forged = signing + "." + IssuerOfTests.base64(Array(code))
            #expect(try await issuer.verify(forged) == nil)
        }
    }

    @Test("what is cut, changed, or no token at all is nobody's")
    func broken() async throws {
        let issuer = IssuerOfTests(.es256)
        let token = try issuer.token()
        let parts = token.split(separator: ".").map(String.init)
        for text in [
            "", ".", "..", "a.b.c", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).", "\(token)x", "\(token).x",
            String(token.dropLast(2)), "\0", String(repeating: "a", count: 100_000),
            "\(parts[0]).\(IssuerOfTests.base64(Array("[]".utf8))).\(parts[2])",
            "\(parts[0]).\(IssuerOfTests.base64(Array("{}".utf8))).\(parts[2])",
        ] {
            #expect(try await issuer.verify(text) == nil, "\(text.prefix(40))")
        }
    }

    @Test("its keys are fetched once for many tokens, and anew after a quarter of an hour")
    func cached() async throws {
        let issuer = IssuerOfTests(.es256)
        for _ in 0..<5 { #expect(try await issuer.verify(try issuer.token()) != nil) }
        #expect(issuer.server.asked == 1)
        #expect(try await issuer.verify(try issuer.token(), later: 901) != nil)
        #expect(issuer.server.asked == 2)
    }

    @Test("ids that are made up make us ask every half minute at most, and a new key is found so")
    func rotation() async throws {
        let issuer = IssuerOfTests(.es256)
        #expect(try await issuer.verify(try issuer.token()) != nil)
        for number in 0..<20 {
            #expect(
                try await issuer.verify(try issuer.token(header: ["alg": "ES256", "kid": .string("x\(number)")])) == nil
            )
        }
        #expect(issuer.server.asked == 1)
        issuer.server.rename(to: "k2")
        let new = try issuer.token(header: ["alg": "ES256", "kid": "k2"])
        #expect(try await issuer.verify(new, later: 29) == nil)
        #expect(try await issuer.verify(new, later: 30) != nil)
        #expect(issuer.server.asked == 2)
    }

    @Test("while the issuer is down, what it said last is believed; one that was never heard is an error")
    func down() async throws {
        let issuer = IssuerOfTests(.es256)
        issuer.server.isDown = true
        let error = await #expect(throws: JWTError.self) { _ = try await issuer.verify(try issuer.token()) }
        #expect(error?.code == .unreachable)
        issuer.server.isDown = false
        #expect(try await issuer.verify(try issuer.token(), later: 31) != nil)
        issuer.server.isDown = true
        #expect(try await issuer.verify(try issuer.token(), later: 2_000) != nil)
        #expect(try await issuer.verify(try issuer.token(header: ["alg": "ES256", "kid": "k9"]), later: 2_000) == nil)
    }

    @Test("what is no key set, and keys that are too weak or for something else, let nobody in")
    func badKeys() async throws {
        for body in [#"{"keys":[]}"#, #"{"keys":[{"kty":"oct","k":"AAAA","alg":"HS256","kid":"k1"}]}"#, nil] {
            let other = IssuerOfTests(.es256)
            other.server.body = body ?? other.server.encrypting
            #expect(try await other.verify(try other.token()) == nil, "\(body ?? "for encryption")")
        }
        for body in ["", "[]", "{}", "<html>"] {
            let other = IssuerOfTests(.es256)
            other.server.body = body
            await #expect(throws: JWTError.self) { _ = try await other.verify(try other.token()) }
        }
    }

    @Test("RSA keys of 2048 to 8192 bits are taken, and others are no keys")
    func rsaKeys() {
        let sizes = [(0, false), (128, false), (255, false), (256, true), (1_024, true), (1_025, false)]
        for (bytes, isTaken) in sizes {
            let modulus = IssuerOfTests.base64([UInt8](repeating: 0xFF, count: bytes))
            let key: JSON = ["kty": "RSA", "kid": "k1", "n": .string(modulus), "e": "AQAB"]
            #expect((JWTKey(key)?.algorithm == .rs256) == isTaken, "\(bytes)")
        }
        let modulus = IssuerOfTests.base64([0, 0] + [UInt8](repeating: 0xFF, count: 256))
        for (exponent, isTaken) in [("AAEAAQ", true), ("", false), ("AA", false), ("AQ", false), ("!", false)] {
            let key: JSON = ["kty": "RSA", "kid": "k1", "n": .string(modulus), "e": .string(exponent)]
            #expect((JWTKey(key) != nil) == isTaken, "\(exponent)")
        }
    }

    private static let start = Int64(IssuerOfTests.now.timeIntervalSince1970)

    private static let refusedClaims: [[String: JSON]] = [
        ["iss": "https://other.example"], ["iss": .null], ["aud": "other"], ["aud": ["other"]], ["aud": .null],
        ["aud": 1], ["exp": .null], ["exp": "soon"], ["exp": .integer(start - 61)], ["exp": .integer(.max)],
        ["exp": .integer(.min)], ["exp": .number(1e308)], ["iat": .null], ["iat": .integer(start + 61)],
        ["iat": .integer(.min)], ["iat": .integer(start - 86_400)], ["nbf": .integer(start + 61)], ["nbf": "now"],
        ["sub": .null], ["sub": ["user-1"]], ["sub": .bool(true)], ["sub": .number(1.5)],
    ]

    private static let acceptedClaims: [[String: JSON]] = [
        ["aud": ["other", "shop"]], ["iat": .integer(start + 60)],
        ["iat": .integer(start - 3_600), "exp": .integer(start - 59)], ["nbf": .integer(start + 60)],
        ["sub": .integer(4_711)], ["exp": .number(Double(start) + 3_600.5)], ["more": .null],
    ]
}
