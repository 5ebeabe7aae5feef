import Crypto
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// Checks PyJWT against our verifier and signer, in both directions.
@Suite("PyJWT and ours agree on Sign in with Apple", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct AppleIDJudgeTests {
    @Test("on every token that another implementation signs and mis-signs")
    func signedElsewhere() async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let verdict = try judge.run("apple_id_signs.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        let keys = StoreResponse(status: 200, body: Data(try judge.read("keys.json")))
        let verifier = AppleIdentityVerifier(keys: .apple(transport: PreparedTransport { keys }))
        let lines = try judge.read("cases.jsonl").split(separator: UInt8(ascii: "\n"))
        for line in lines {
            let judged = try JSON(parsing: Array(line))
            let token = try #require(judged["token"]?.string)
            let accepted =
                (try? await verifier.verify(token, clientIDs: Self.clients, nonce: nil, at: Date())) != nil
            #expect(accepted == (judged["expected"] == "accept"), "\(judged["name"]?.string ?? "")")
        }
        #expect(lines.count >= 29)
    }

    @Test("on what the simulator signs as Apple, and on what ours signs for Apple")
    func signedHere() async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let store = try AppleIDStore(at: Date())
        var tokens: [JSON] = []
        var secrets: [JSON] = []
        for clientID in Self.clients.sorted() {
            let notification = try store.apple.notification("consent-revoked", of: AppleIDStore.anna, for: clientID)
            for token in [
                try store.apple.identityToken(AppleIDStore.anna, for: clientID, nonce: "n"),
                try #require(JSON(parsing: Array(notification))["payload"]?.string),
            ] {
                tokens.append(["token": .string(token), "clientId": .string(clientID)])
            }
            for lifetime in [300, AppleClientSecret.longest] {
                let secret = try AppleClientSecret.sign(
                    clientID: clientID,
                    for: store.app,
                    at: Date(),
                    lifetime: lifetime
                )
                secrets.append([
                    "secret": .string(secret), "clientId": .string(clientID), "teamId": .string(store.app.teamID),
                    "keyId": .string(store.app.keyID),
                ])
            }
        }
        let keys = try #require(store.apple.endpoints.first { $0.path == "/auth/keys" })
        let request = SimulatedRequest(method: "GET", target: "/auth/keys", headers: [:], body: Data())
        try judge.write(Array(await keys.answer(request).body), to: "keys.json")
        try judge.write(Array(store.key.publicKey.pemRepresentation.utf8), to: "key.pem")
        try judge.write(tokens.flatMap { $0.bytes + [0x0A] }, to: "tokens.jsonl")
        try judge.write(secrets.flatMap { $0.bytes + [0x0A] }, to: "secrets.jsonl")
        let verdict = try judge.run("apple_id_accepts.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.hasSuffix("8 passed, 0 failed\n"), "\(verdict.output)")
    }

    private static let clients: Set = ["com.example", "com.example.web"]
}
