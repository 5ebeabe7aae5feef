import Crypto
import CryptoExtras
import Foundation
import TestSupport
import Testing

@testable import Gateways

@Suite("Forged tokens") struct ForgedTokensTests {
    @Test(
        "none that looks like one of an app's own issuer lets anybody in",
        arguments: [IssuerOfTests.Kind.es256, .eddsa, .hs256]
    )
    func issuers(_ kind: IssuerOfTests.Kind) async throws {
        let issuer = IssuerOfTests(kind)
        // The forged tokens name it as well.
        let other = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)
        let (x, y) = (IssuerOfTests.base64(Array(other.prefix(32))), IssuerOfTests.base64(Array(other.suffix(32))))
        let key = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","kid":"x"}"#
        issuer.server.body = issuer.server.body.replacing("]}", with: ",\(key)]}")
        #expect(try await issuer.verify(try issuer.forged.genuine())?.externalID == "user-1")
        let forged = try issuer.forged.all()
        #expect(forged.count > 500)
        for each in forged { #expect(try await issuer.verify(each.token) == nil, "\(each.name)") }
    }

    @Test("none that looks like one of Apple's sign-in lets anybody in")
    func apple() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        // The forged tokens name the other key as well.
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let set: JSON = ["keys": [try Self.jwk(key, "k1"), try Self.jwk(other, "x")]]
        let answer = StoreResponse(status: 200, body: Data(set.bytes))
        let verifier = AppleIdentityVerifier(keys: .apple(transport: PreparedTransport { answer }))
        let start = Int64(AppleIDStore.start.timeIntervalSince1970)
        let tokens = ForgedTokens(
            algorithm: "RS256",
            keyID: "k1",
            claims: [
                ("iss", #""https://appleid.apple.com""#), ("aud", #""com.example""#), ("sub", #""001.anna""#),
                ("iat", "\(start)"), ("exp", "\(start + 3_600)"),
            ],
            now: AppleIDStore.start,
            publicKeys: [
                key.publicKey.derRepresentation, Data(key.publicKey.pemRepresentation.utf8),
                try key.publicKey.getKeyPrimitives().modulus, Data(set.bytes),
            ],
            sign: { try key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation }
        )
        func identity(_ token: String) async throws(JWTError) -> AppleIdentity {
            try await verifier.verify(token, clientIDs: ["com.example"], nonce: nil, at: AppleIDStore.start)
        }
        #expect(try await identity(try tokens.genuine()).subject == "001.anna")
        let forged = try tokens.all()
        #expect(forged.count > 500)
        for each in forged {
            let error = await #expect(throws: JWTError.self, "\(each.name)") { try await identity(each.token) }
            #expect(error?.code != .unreachable, "\(each.name)")
        }
    }
    private static func jwk(_ key: _RSA.Signing.PrivateKey, _ id: String) throws -> JSON {
        let numbers = try key.publicKey.getKeyPrimitives()
        return [
            "kty": "RSA", "kid": .string(id), "use": "sig", "alg": "RS256",
            "n": .string(IssuerOfTests.base64(Array(numbers.modulus))),
            "e": .string(IssuerOfTests.base64(Array(numbers.publicExponent))),
        ]
    }
}
