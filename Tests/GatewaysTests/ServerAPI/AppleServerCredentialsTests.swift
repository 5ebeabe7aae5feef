import Billing
import Crypto
import Foundation
import Gateways
import Testing

@Suite("Who asks the App Store Server API")
struct AppleServerCredentialsTests {
    private let credentials: AppleServerCredentials

    init() throws {
        credentials = AppleServerCredentials(
            issuerID: "issuer",
            keyID: "KEY",
            key: try AppleServerKey(pem: TestServerKey.pem),
            bundleID: "com.example"
        )
    }

    @Test("a token is signed with the key, says who asks for which app, and ends after five minutes")
    func token() throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000.9)
        let parts = try credentials.bearerToken(at: now).split(separator: ".").map { Array($0.utf8) }
        let header = try JSON(parsing: try #require(Base64.decode(url: parts[0])))
        #expect(header == ["alg": "ES256", "kid": "KEY", "typ": "JWT"])
        let claims = try JSON(parsing: try #require(Base64.decode(url: parts[1])))
        #expect(
            claims == [
                "iss": "issuer", "iat": 1_790_000_000, "exp": 1_790_000_300, "aud": "appstoreconnect-v1",
                "bid": "com.example",
            ]
        )
        let raw = try #require(Base64.decode(url: parts[2]))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        let input = parts[0] + [UInt8(ascii: ".")] + parts[1]
        #expect(TestServerKey.key.publicKey.isValidSignature(signature, for: input))
    }

    @Test("the private key cannot be printed")
    func unprintable() throws {
        var text = "\(credentials) \(String(reflecting: credentials)) \(credentials.key)"
        dump(credentials, to: &text)
        let secret = TestServerKey.key.rawRepresentation
        #expect(!text.contains(secret.base64EncodedString()))
        #expect(!text.contains("P256"))
        #expect(Mirror(reflecting: credentials.key).children.isEmpty)
    }

    @Test("a file that is no key is refused without being quoted")
    func noKey() throws {
        for pem in ["", "secret", "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----"] {
            let error = #expect(throws: GatewayError.self) { try AppleServerKey(pem: pem) }
            #expect(error?.code == .misconfigured)
            #expect(error?.field == "api.privateKey")
            #expect(error.map { !"\($0)".contains("c2VjcmV0") } == true)
        }
    }

    @Test("plain http is for simulated apps only")
    func hosts() throws {
        let local = "http://127.0.0.1:8080"
        #expect(throws: GatewayError.self) {
            try AppleServerHosts(production: local, sandbox: local, isSimulated: false)
        }
        let hosts = try AppleServerHosts(production: local + "/", sandbox: local + "/sandbox", isSimulated: true)
        #expect(hosts[.production] == local)
        #expect(hosts[.sandbox] == local + "/sandbox")
        for bad in ["", "api.storekit.apple.com", "ftp://a", "https://", "https://a?b", "https://a#b", "https://u@a"] {
            #expect(throws: GatewayError.self, "\(bad)") {
                try AppleServerHosts(production: bad, sandbox: bad, isSimulated: true)
            }
        }
    }
}
