import Billing
import Crypto
import Foundation
import Gateways
import Postgres
import Storage
import TestSupport
import Testing

@testable import Operations

@Suite("Forged access tokens") struct ForgedAccessTokensTests {
    @Test("none that looks like one of ours opens anything, also where our own key signed it")
    func forged() async throws {
        try await ConnectedOffice.run { office in
            let tokens = try await Self.tokens(office)
            let session = try await office.backOffice.customerSession(try tokens.genuine())
            #expect(session?.externalID == "u1")
            let forged = try tokens.all()
            #expect(forged.count > 500)
            for each in forged {
                let opened = try await office.backOffice.customerSession(each.token)
                #expect(opened == nil, "\(each.name)")
            }
        }
    }

    @Test("whoever writes a key into the database, and has not sealed it, signs nothing that is taken")
    func writtenKey() async throws {
        try await ConnectedOffice.run { office in
            _ = try await Self.tokens(office)
            let stored = try await Self.stored(office)
            let stranger = P256.Signing.PrivateKey()
            let key = Array(stranger.publicKey.rawRepresentation)
            _ = try await office.office.pool.query("UPDATE signing_keys SET public_key = \(key)")
            let session = try #require(try await office.lines("SELECT id::text FROM customer_sessions").first)
            let now = Int64(office.office.database.now.timeIntervalSince1970)
            let claims: JSON = [
                "iss": "perennial", "aud": "readmigo", "sub": .string(UUID().uuidString), "sid": .string(session),
                "iat": .integer(now), "exp": .integer(now + 60),
            ]
            let token = try CompactJWS.sign(claims, keyID: stored.id.description, key: stranger)
            let other = office.office.anotherServer(secret: TestOffice.secret)
            #expect(try await other.customerSession(token) == nil)
        }
    }

    @Test("where the keys cannot be read, a token is not refused: that is an error")
    func sealedKeys() async throws {
        try await ConnectedOffice.run { office in
            let token = try await Self.tokens(office).genuine()
            let blind = AccessTokens(database: office.office.database, cipher: nil)
            let error = await #expect(throws: OperationsError.self) { _ = try await blind.verify(token) }
            #expect(error?.code == .misconfigured)
            let soon = await #expect(throws: OperationsError.self) { _ = try await blind.verify(token) }
            #expect(soon?.code == .overloaded, "not asked again so soon")
        }
    }

    private static func tokens(_ office: ConnectedOffice) async throws -> ForgedTokens {
        let minted = try await office.backOffice.mintToken(
            for: CustomerIdentity(externalID: "u1", isAnonymous: false),
            of: try await office.office.app(),
            caller: .commandLine
        )
        let session = try #require(try await office.backOffice.customerSession(minted.accessToken.revealed))
        let stored = try await stored(office)
        let cipher = FieldCipher(secret: Array(TestOffice.secret.utf8))
        let opened = try cipher.open(stored.sealedKey, for: stored.id.uuid)
        let key = try P256.Signing.PrivateKey(rawRepresentation: Data(opened))
        let now = office.office.database.now
        let start = Int64(now.timeIntervalSince1970)
        return ForgedTokens(
            algorithm: "ES256",
            keyID: stored.id.description,
            claims: [
                ("iss", #""perennial""#), ("aud", #""readmigo""#), ("sub", "\"\(session.customer)\""),
                ("sid", "\"\(session.id)\""), ("iat", "\(start)"), ("exp", "\(start + 3_600)"),
            ],
            now: now,
            publicKeys: [
                key.publicKey.rawRepresentation, key.publicKey.x963Representation, key.publicKey.derRepresentation,
                Data(key.publicKey.pemRepresentation.utf8),
            ],
            // The session names the app and the customer; the clock is ours.
            ignoring: [.audience, .issuedAt],
            sign: { try key.signature(for: $0).rawRepresentation }
        )
    }

    private static func stored(_ office: ConnectedOffice) async throws -> StoredSigningKey {
        try #require(
            try await office.office.database.readPrimary { reader in
                try await reader.signingKeys(since: office.office.database.now.addingTimeInterval(-86_400))
            }.first
        )
    }
}
