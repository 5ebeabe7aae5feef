import Billing
import Crypto
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Tokens of apps' own issuers as sessions") struct IssuedTokensTests {
    @Test("who is named for the first time is made, once, however many tokens and servers meet at once")
    func firstSight() async throws {
        try await Self.run { office, server in
            let servers = [server, Self.server(of: office)]
            let customers = try await withThrowingTaskGroup(of: Customer.ID?.self) { group in
                for call in 0..<40 {
                    let token = Self.token("u1", office, extra: "\(call)")
                    group.addTask { try await servers[call % 2].customerSession(token)?.customer }
                }
                return try await group.reduce(into: Set<Customer.ID?>()) { $0.insert($1) }
            }
            #expect(customers.count == 1 && !customers.contains(nil))
            #expect(try await office.count("customers") == 1)
            #expect(try await office.count("customer_sessions") == 1)
            let session = try #require(try await server.customerSession(Self.token("u1", office)))
            #expect((session.externalID, session.appSlug) == ("u1", "readmigo"))
            // Our own tokens of the same customer stay good beside it.
            let minted = try await server.mintToken(
                for: CustomerIdentity(externalID: "u1", isAnonymous: false),
                of: try await office.app(),
                caller: .commandLine
            )
            #expect(minted.customer == session.customer)
        }
    }

    @Test("who is named for the first time is counted before they are made; who is known is not")
    func signUps() async throws {
        try await Self.run { office, server async throws in
            await #expect(throws: CancellationError.self) {
                try await server.customerSession(Self.token("u1", office)) { throw CancellationError() }
            }
            #expect(try await office.count("customers") == 0)
            #expect(try await server.customerSession(Self.token("u1", office)) != nil)
            for number in 0..<2 {
                let token = Self.token("u1", office, extra: "\(number)")
                #expect(try await server.customerSession(token) { throw CancellationError() } != nil)
            }
        }
    }

    @Test("a token is good until its own end, also where it is remembered")
    func ends() async throws {
        try await Self.run { office, server in
            let token = Self.token("u1", office)
            let session = try await server.customerSession(token)
            #expect(session != nil)
            office.clock.advance(by: 3_659)
            #expect(try await server.customerSession(token) != nil)
            // A newer token keeps the session good, but not the old token.
            #expect(try await server.customerSession(Self.token("u1", office)) != nil)
            office.clock.advance(by: 1)
            #expect(try await server.customerSession(token) == nil)
            #expect(try await Self.server(of: office).customerSession(token) == nil)
        }
    }

    @Test("ending the session ends what was issued until then, on every server; a later token begins another")
    func ended() async throws {
        try await Self.run { office, server in
            let (seen, unseen) = (Self.token("u1", office), Self.token("u1", office, extra: "unseen"))
            let session = try #require(try await server.customerSession(seen))
            office.clock.advance(by: 10)
            try await server.signOut(session.id)
            let other = Self.server(of: office)
            for backOffice in [server, other] {
                #expect(try await backOffice.customerSession(seen) == nil)
                #expect(try await backOffice.customerSession(unseen) == nil)
                // Issued in the same second.
                #expect(try await backOffice.customerSession(Self.token("u1", office)) == nil)
            }
            #expect(try await office.count("customer_sessions") == 1)
            office.clock.advance(by: 1)
            let later = try #require(try await other.customerSession(Self.token("u1", office)))
            #expect(later.customer == session.customer)
            #expect(later.id != session.id)
            #expect(try await server.customerSession(seen) == nil)
            #expect(try await server.customerSession(Self.token("u2", office)) != nil)
        }
    }

    @Test("a customer whose data is erased does not come back with a token of before")
    func erased() async throws {
        try await Self.run { office, server in
            let session = try #require(try await server.customerSession(Self.token("u1", office)))
            let unseen = Self.token("u1", office, extra: "unseen")
            office.clock.advance(by: 10)
            _ = try await office.database.write { try await $0.customerSessions.endAll(of: session.customer) }
            _ = try await office.pool.query("UPDATE customers SET external_id = NULL")
            #expect(try await server.customerSession(unseen) == nil)
            #expect(try await office.count("customers") == 1)
            office.clock.advance(by: 1)
            let anew = try #require(try await server.customerSession(Self.token("u1", office)))
            #expect(anew.customer != session.customer)
        }
    }

    @Test("a deletion that is sent again with its token is known on every server; a later token is somebody else's")
    func deleted() async throws {
        try await Self.run { office, server in
            let app = try await office.app()
            let token = Self.token("u1", office)
            let session = try #require(try await server.customerSession(token))
            let stays = Self.token("u2", office)
            let other = try #require(try await server.customerSession(stays))
            #expect(try await server.deletedCustomer(token) == nil)
            office.clock.advance(by: 10)
            #expect(try await server.deleteAccount(of: session.customer, app: app, caller: .commandLine))
            try await server.signOut(other.id)
            for backOffice in [server, Self.server(of: office)] {
                #expect(try await backOffice.customerSession(token) == nil)
                #expect(try await backOffice.deletedCustomer(token) == session.customer)
                #expect(try await backOffice.deletedCustomer(stays) == nil)
                let forged = Self.token("u1", office, secret: "another secret of 32 bytes or more")
                #expect(try await backOffice.deletedCustomer(forged) == nil)
            }
            office.clock.advance(by: 1)
            let later = Self.token("u1", office)
            #expect(try await server.deletedCustomer(later) == nil)
            #expect(try await server.customerSession(later)?.customer != session.customer)
        }
    }

    @Test("what another app's issuer signed, or nobody, opens nothing and makes nobody")
    func strangers() async throws {
        try await Self.run { office, server in
            for text in [
                Self.token("u1", office, audience: "other"), Self.token("u1", office, issuer: "https://other.example"),
                Self.token("u1", office, secret: "another secret of 32 bytes or more"), Self.token("", office),
                Self.token(String(repeating: "u", count: 256), office), Self.token("u\\u0000", office), "", "a.b.c",
                String(repeating: "a", count: 100_000),
            ] {
                let session = try await server.customerSession(text)
                #expect(session == nil, "\(text.prefix(40))")
            }
            #expect(try await office.count("customers") == 0)
            #expect(try await office.count("customer_sessions") == 0)
        }
    }

    @Test("an issuer that the catalogue no longer names, or names otherwise, lets nobody in any more")
    func changed() async throws {
        try await Self.run { office, server in
            let token = Self.token("u1", office)
            #expect(try await server.customerSession(token) != nil)
            var catalog = try Catalog.readmigo()
            catalog.tokenIssuer = Self.issuer
            #expect(try await server.applyCatalog(catalog).changes == [])
            catalog.tokenIssuer?.audience = "readmigo-2"
            #expect(
                try await server.applyCatalog(catalog).changes == ["changed token issuer https://login.example.com"]
            )
            #expect(try await server.customerSession(token) == nil)
            catalog.tokenIssuer = Self.issuer
            _ = try await server.applyCatalog(catalog)
            #expect(try await server.customerSession(token) != nil)
            catalog.tokenIssuer = nil
            #expect(try await server.applyCatalog(catalog).changes == ["removed token issuer"])
            #expect(try await server.customerSession(token) == nil)
        }
    }

    @Test("the shared secret is sealed, and an issuer and audience lead to one app")
    func kept() async throws {
        try await Self.run { office, server in
            let sealed = try #require(
                try await office.pool.query("SELECT sealed_secret FROM token_issuers").first?.decode(
                    0,
                    as: [UInt8].self
                )
            )
            #expect(String(decoding: sealed, as: UTF8.self).contains("secret") == false)
            var other = try Catalog.readmigo()
            (other.app, other.accounts, other.tokenIssuer) = ("other", [:], Self.issuer)
            let refused = other
            let error = await #expect(throws: OperationsError.self) { _ = try await server.applyCatalog(refused) }
            #expect(error?.code == .conflict)
            #expect(error?.field == "tokens.audience")
            #expect(try await office.count("apps") == 1)
        }
    }

    static let secret = "a secret of the app's, 32 bytes or more"

    static let issuer = TokenIssuer(
        issuer: "https://login.example.com",
        audience: "readmigo",
        sharedSecrets: [Secret(secret)],
        algorithms: [.hs256]
    )

    static func run(_ body: (TestOffice, BackOffice) async throws -> Void) async throws {
        try await TestOffice.run { office in
            let server = server(of: office)
            var catalog = try Catalog.readmigo()
            catalog.tokenIssuer = issuer
            _ = try await server.applyCatalog(catalog)
            try await body(office, server)
        }
    }

    /// Returns a server of the installation with empty caches.
    static func server(of office: TestOffice) -> BackOffice {
        office.anotherServer(secret: TestOffice.secret)
    }

    /// Returns a token that is issued now, for an hour.
    static func token(
        _ subject: String,
        _ office: TestOffice,
        issuer: String = "https://login.example.com",
        audience: String = "readmigo",
        secret: String = secret,
        extra: String = ""
    ) -> String {
        let start = Int64(office.clock.read().timeIntervalSince1970)
        let claims =
            #"{"iss":"\#(issuer)","aud":"\#(audience)","sub":"\#(subject)","iat":\#(start),"exp":\#(start + 3_600),"jti":"\#(extra)"}"#
        let signing = "\(base64(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8))).\(base64(Data(claims.utf8)))"
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(signing.utf8),
            using: SymmetricKey(data: Data(secret.utf8))
        )
        return "\(signing).\(base64(Data(code)))"
    }

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
