import Billing
import Crypto
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("What customers are known by") struct CustomerTokensTests {
    @Test("an access token opens its customer's session on every server of the installation")
    func everyServer() async throws {
        try await ConnectedOffice.run { office in
            let token = try await mint("u1", office)
            let other = secondServer(of: office)
            for backOffice in [office.backOffice, other, office.backOffice] {
                let session = try #require(try await backOffice.customerSession(token))
                #expect((session.externalID, session.appSlug) == ("u1", "readmigo"))
            }
            let again = try #require(try await other.customerSession(try await mint("u1", office)))
            #expect(again.customer == (try await office.backOffice.customerSession(token))?.customer)
            #expect(try await office.count("customers") == 1)
        }
    }

    @Test("what another key signed, what is cut, and what is no token opens nothing")
    func forged() async throws {
        try await ConnectedOffice.run { office in
            let token = try await mint("u1", office)
            let parts = token.split(separator: ".").map(String.init)
            let kid = try #require(try await office.backOffice.accessTokens.published().first).id
            let key = P256.Signing.PrivateKey()
            let claims: JSON = [
                "iss": "perennial", "aud": "readmigo", "sub": .string(UUID().uuidString),
                "sid": .string(UUID().uuidString), "iat": 0, "exp": 4_000_000_000,
            ]
            let unsigned = Data(#"{"alg":"none","kid":"\#(kid)"}"#.utf8).base64EncodedString()
                .replacing("=", with: "")
            let strangers = [
                try CompactJWS.sign(claims, keyID: kid, key: key), try CompactJWS.sign(claims, keyID: "x", key: key),
                try CompactJWS.sign(claims, keyID: "", key: key), "", ".", "..", "a.b.c", "\0",
                String(repeating: "a", count: 100_000), "\(parts[0]).\(parts[1]).",
                "\(unsigned).\(parts[1]).", "\(unsigned).\(parts[1]).\(parts[2])", "\(token)x",
                String(token.dropLast(2)),
            ]
            for text in strangers {
                #expect(try await office.backOffice.customerSession(text) == nil, "\(text.prefix(60))")
            }
        }
    }

    @Test("it is over with its time, and signing out ends it at once on every server")
    func ends() async throws {
        try await ConnectedOffice.run { office in
            let other = secondServer(of: office)
            let token = try await mint("u1", office)
            let session = try #require(try await other.customerSession(token))
            try await office.backOffice.signOut(session.id)
            #expect(try await other.customerSession(token) == nil)
            let next = try await mint("u1", office)
            office.clock.advance(by: AccessTokens.lifetime - 1)
            #expect(try await other.customerSession(next) != nil)
            office.clock.advance(by: 1)
            #expect(try await other.customerSession(next) == nil)
            #expect(try await office.backOffice.customerSession(next) == nil)
        }
    }

    @Test(
        "a key signs for ninety days; what the one before signed is good until its end, and then it is not published any more"
    )
    func rotation() async throws {
        try await ConnectedOffice.run { office in
            let first = try #require(try await office.backOffice.accessTokens.published().first)
            office.clock.advance(by: 90 * 86_400 - 1)
            let old = try await mint("u1", office)
            office.clock.advance(by: 1)
            let new = try await mint("u1", office)
            let published = try await office.backOffice.accessTokens.published().map(\.id)
            #expect(published.count == 2)
            #expect(published.last == first.id)
            for token in [old, new] { #expect(try await secondServer(of: office).customerSession(token) != nil) }
            office.clock.advance(by: 3 * 86_400)
            #expect(try await secondServer(of: office).accessTokens.published().map(\.id) == [published[0]])
        }
    }

    @Test("servers that need a key at the same moment make one")
    func oneKey() async throws {
        try await ConnectedOffice.run { office in
            let servers = (0..<6).map { _ in secondServer(of: office) }
            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for server in servers { group.addTask { try await server.accessTokens.published().first?.id } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try await office.count("signing_keys") == 1)
        }
    }

    @Test("no secret is in the database as it is, and without a secret of the installation nothing is signed")
    func sealed() async throws {
        try await ConnectedOffice.run { office in
            let tokens = try await begin(office)
            let refresh = try #require(tokens.refreshToken).revealed
            for table in ["refresh_tokens", "customer_sessions", "signing_keys"] {
                let rows = try await office.lines(Query(unsafe: "SELECT t::text FROM \(table) t"))
                #expect(rows.count == 1)
                #expect(!rows[0].contains(refresh.dropFirst(4)) && !rows[0].contains(tokens.accessToken.revealed))
            }
            #expect("\(tokens)".contains(refresh) == false)
            let error = await #expect(throws: OperationsError.self) {
                let app = try await office.office.app()
                _ = try await office.office.backOffice.mintToken(
                    for: CustomerIdentity(externalID: "u1", isAnonymous: false),
                    of: app,
                    caller: .commandLine
                )
            }
            #expect(error?.code == .misconfigured)
        }
    }

    @Test(
        "a refresh token makes the next pair, again where the answer was lost, and ends the session where it was stolen"
    )
    func refresh() async throws {
        try await ConnectedOffice.run { office in
            let first = try text(of: try await begin(office))
            let lost = try text(of: try await office.backOffice.refreshTokens(first))
            let second = try text(of: try await office.backOffice.refreshTokens(first))
            let tokens = try await office.backOffice.refreshTokens(second)
            #expect(try await office.backOffice.customerSession(tokens.accessToken.revealed) != nil)
            // The second was used: a caller who sends the first now has stolen it, or was stolen from.
            await refused(first, office)
            #expect(try await office.backOffice.customerSession(tokens.accessToken.revealed) == nil)
            for text in [first, lost, second, try text(of: tokens)] { await refused(text, office) }
        }
    }

    @Test("of two that were made at once either is good until the other is used; what that voided ends the session")
    func voided() async throws {
        try await ConnectedOffice.run { office in
            for usesLater in [false, true] {
                let first = try text(of: try await begin(office))
                let pair = [
                    try text(of: try await office.backOffice.refreshTokens(first)),
                    try text(of: try await office.backOffice.refreshTokens(first)),
                ]
                let (used, other) = usesLater ? (pair[1], pair[0]) : (pair[0], pair[1])
                let tokens = try await office.backOffice.refreshTokens(used)
                #expect(try await office.backOffice.customerSession(tokens.accessToken.revealed) != nil)
                await refused(other, office)
                #expect(try await office.backOffice.customerSession(tokens.accessToken.revealed) == nil)
            }
        }
    }

    @Test(
        "sent many times at once, one refresh token has many successors, of which one is left once it is used, and the session lives"
    )
    func race() async throws {
        try await ConnectedOffice.run { office in
            let first = try text(of: try await begin(office))
            let made = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 {
                    group.addTask { try Self.text(of: try await office.backOffice.refreshTokens(first)) }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(made.count == 20)
            _ = try await office.backOffice.refreshTokens(try #require(made.first))
            let replaced = "replaces = (SELECT token_hash FROM refresh_tokens WHERE replaces IS NULL)"
            #expect(try await office.count("refresh_tokens WHERE \(replaced) AND voided_at IS NULL") == 1)
            #expect(try await office.count("customer_sessions WHERE ended_at IS NULL") == 1)
        }
    }

    @Test("a refresh token is good for seven days, and each use begins them anew")
    func week() async throws {
        try await ConnectedOffice.run { office in
            var text = try text(of: try await begin(office))
            for _ in 0..<3 {
                office.clock.advance(by: BackOffice.refreshLifetime - 1)
                text = try Self.text(of: try await office.backOffice.refreshTokens(text))
            }
            office.clock.advance(by: BackOffice.refreshLifetime)
            await refused(text, office)
            #expect(try await office.backOffice.forgetCustomerSessions() == 0)
            office.clock.advance(by: 31 * 86_400)
            #expect(try await office.backOffice.forgetCustomerSessions() == 1)
            #expect(try await office.count("refresh_tokens") == 0)
        }
    }

    @Test(
        "what is no refresh token of ours is refused and changes nothing",
        arguments: [
            "", "prt_", "\0", "-9223372036854775808", "1.5", "10000000000000000000",
            "prt_" + String(repeating: "0", count: 64), String(repeating: "a", count: 100_000),
        ]
    )
    func unknown(text: String) async throws {
        try await ConnectedOffice.run { office in
            await refused(text, office, because: .tokenInvalid)
            let kept = try await office.count("refresh_tokens")
            #expect(kept == 0)
        }
    }

    @Test(
        "an id that cannot be kept is refused by its field",
        arguments: ["", "a\0b", String(repeating: "x", count: 256)]
    )
    func names(id: String) async throws {
        try await ConnectedOffice.run { office in
            let error = await #expect(throws: OperationsError.self) { _ = try await mint(id, office) }
            #expect((error?.code, error?.field) == (.invalid, "customerId"))
            let made = try await office.count("customers")
            #expect(made == 0)
        }
    }

    @Test("a session follows its customer where two become one")
    func merged() async throws {
        try await ConnectedOffice.run { office in
            let app = try await office.office.app()
            let device = try await office.backOffice.mintToken(
                for: CustomerIdentity(externalID: "device", isAnonymous: true),
                of: app,
                caller: .commandLine
            )
            let account = try await office.backOffice.mintToken(
                for: CustomerIdentity(externalID: "account", isAnonymous: false),
                of: app,
                caller: .commandLine
            )
            try await office.office.database.write {
                try await $0.customers.merge(device.customer, into: account.customer, of: app)
            }
            let session = try #require(try await office.backOffice.customerSession(device.accessToken.revealed))
            #expect(session.customer == account.customer)
        }
    }

    private func mint(_ customer: String, _ office: ConnectedOffice) async throws -> String {
        try await office.backOffice.mintToken(
            for: CustomerIdentity(externalID: customer, isAnonymous: false),
            of: try await office.office.app(),
            caller: .commandLine
        ).accessToken.revealed
    }

    private func begin(_ office: ConnectedOffice) async throws -> CustomerTokens {
        let app = try await office.office.app()
        let customer = try await office.office.database.write { transaction in
            try await transaction.customers.identify(
                CustomerIdentity(externalID: "u1", isAnonymous: false),
                of: app
            )
        }
        return try await office.backOffice.beginSession(by: .apple, for: try #require(customer), of: app)
    }

    private func text(of tokens: CustomerTokens) throws -> String { try Self.text(of: tokens) }

    private static func text(of tokens: CustomerTokens) throws -> String {
        try #require(tokens.refreshToken).revealed
    }

    /// - Parameter reason: the expected reason: by default that the token was good once.
    private func refused(_ text: String, _ office: ConnectedOffice, because reason: ProblemCode = .tokenExpired) async {
        let error = await #expect(throws: OperationsError.self) { _ = try await office.backOffice.refreshTokens(text) }
        #expect(error?.code == .notAuthentic)
        #expect(error?.reason == reason)
    }

    /// Returns another server of the installation: the same database and secret, and empty caches.
    private func secondServer(of office: ConnectedOffice) -> BackOffice {
        office.office.anotherServer(secret: TestOffice.secret, gateways: StoreGateways([AppleGateway()]))
    }
}
