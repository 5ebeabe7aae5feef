import Billing
import Crypto
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("Whom the simulated App Store lets in")
struct SimulatedTokenTests {
    private let server: SimulatedAppleServer
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    init() throws {
        server = SimulatedAppleServer(authority: try TestAuthority(), clock: SimulatedClock(standingAt: now))
    }

    @Test("a token of its key for this app, of at most an hour; when it was made need not be said")
    func letIn() async throws {
        try await server.start()
        #expect(try await status() == 404)
        #expect(try await status { $0["iat"] = nil } == 404)
        #expect(try await status { $0["exp"] = .integer(second + 3_600) } == 404)
        await server.stop()
    }

    @Test(
        "anything else is answered 401, and not in JSON",
        arguments: [
            ("iss", "somebody"), ("iss", nil), ("aud", "somewhere"), ("aud", nil), ("bid", "com.example"), ("bid", nil),
            ("exp", nil), ("exp", "1795000300"), ("exp", 1_794_999_000), ("exp", 1_795_003_700),
            ("exp", .number(1e300)),
            ("exp", .integer(.max)), ("exp", .integer(.min)), ("iat", "now"), ("iat", 1_795_000_100),
            ("iat", 1_794_990_000), ("iat", .integer(.min)),
        ] as [(String, JSON?)]
    )
    func refused(name: String, value: JSON?) async throws {
        try await server.start()
        #expect(try await status { $0[name] = value } == 401)
        await server.stop()
    }

    @Test("nor is a token with another header, of another key, or none")
    func headers() async throws {
        try await server.start()
        #expect(try await status(header: ["alg": "none", "kid": .string(server.key.keyID), "typ": "JWT"]) == 401)
        #expect(try await status(header: ["alg": "ES256", "kid": "ANOTHER", "typ": "JWT"]) == 401)
        #expect(try await status(key: P256.Signing.PrivateKey()) == 401)
        for authorization in [nil, "", "Bearer", "Bearer ..", "Bearer a.b.c", "Basic YTpi"] {
            let response = try await ask(authorization)
            #expect(response.status == 401)
            #expect(response.headers["content-type"] != "application/json")
        }
        await server.stop()
    }

    private var second: Int64 { Int64(now.timeIntervalSince1970) }

    private func status(
        header: JSON? = nil,
        key: P256.Signing.PrivateKey? = nil,
        changing change: (inout JSON) -> Void = { _ in }
    ) async throws -> Int {
        var claims: JSON = [
            "iss": .string(server.key.issuerID), "iat": .integer(second), "exp": .integer(second + 300),
            "aud": "appstoreconnect-v1", "bid": .string(server.bundleID),
        ]
        change(&claims)
        let header = header ?? ["alg": "ES256", "kid": .string(server.key.keyID), "typ": "JWT"]
        let input = Base64.encode(url: header.bytes) + [UInt8(ascii: ".")] + Base64.encode(url: claims.bytes)
        let key = try key ?? P256.Signing.PrivateKey(pemRepresentation: server.key.pem)
        let signature = Array(try key.signature(for: input).rawRepresentation)
        let token = input + [UInt8(ascii: ".")] + Base64.encode(url: signature)
        return try await ask("Bearer \(String(decoding: token, as: UTF8.self))").status
    }

    private func ask(_ authorization: String?) async throws -> StoreResponse {
        let headers = authorization.map { ["Authorization": $0] } ?? [:]
        let request = StoreRequest("GET", server.url() + "/inApps/v1/transactions/1", headers: headers)
        return try await HTTPStoreTransport().send(request)
    }
}
