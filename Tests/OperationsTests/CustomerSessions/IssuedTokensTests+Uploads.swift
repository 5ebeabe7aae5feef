import Billing
import Operations
import Postgres
import Storage
import TestSupport
import Testing

extension IssuedTokensTests {
    @Test("an uploaded secret opens what is signed with it, two live at a time, and a removed one opens nothing")
    func uploaded() async throws {
        try await Self.run { office, server in
            try await Self.takeUploads(server)
            let (first, second) = ("the first secret of the login, 32 b", "the second secret of the login, 32")
            let token = Self.token("u1", office, secret: first)
            #expect(try await server.customerSession(token) == nil)
            let id = try await Self.upload(first, office, server)
            _ = try await Self.upload(second, office, server)
            #expect(try await server.customerSession(token) != nil)
            #expect(try await server.customerSession(Self.token("u1", office, secret: second)) != nil)
            #expect(try await server.customerSession(Self.token("u1", office)) == nil)
            for (text, field) in [(first, "sharedSecret"), ("a third secret of the login, 32 byte", nil)] {
                let error = await #expect(throws: OperationsError.self) {
                    _ = try await Self.upload(text, office, server)
                }
                #expect(error?.code == .conflict)
                #expect(error?.field == field)
            }
            try await Self.remove(id, office, server)
            #expect(try await server.customerSession(token) == nil)
            #expect(try await Self.server(of: office).customerSession(token) == nil)
            #expect(try await server.customerSession(Self.token("u1", office, secret: second)) != nil)
            let gone = await #expect(throws: OperationsError.self) { try await Self.remove(id, office, server) }
            #expect(gone?.code == .notFound)
            let kept = try await office.lines(
                "SELECT t::text FROM token_issuer_secrets t UNION ALL SELECT e::text FROM audit_entries e"
            )
            #expect(kept.contains { $0.contains("token_issuer.secret_add") })
            #expect(kept.allSatisfy { !$0.contains(first) && !$0.contains(second) })
        }
    }

    @Test("of many who upload at once two are heard")
    func uploadedAtOnce() async throws {
        try await Self.run { office, server in
            try await Self.takeUploads(server)
            let servers = [server, Self.server(of: office)]
            let kept = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<10 {
                    let text = "a secret of the login with number \(number)"
                    group.addTask {
                        (try? await Self.upload(text, office, servers[number % 2])) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(kept == 2)
            #expect(try await office.count("token_issuer_secrets") == 2)
        }
    }

    @Test("an uploaded secret goes where the catalogue names keys or another issuer, and stays where it does not")
    func uploadedAndNamed() async throws {
        try await Self.run { office, server in
            let removed = "removed the uploaded secrets of the token issuer"
            let refused = await #expect(throws: OperationsError.self) {
                _ = try await Self.upload("a secret of the login, 32 bytes long", office, server)
            }
            #expect(refused?.code == .conflict)
            for change: @Sendable (inout TokenIssuer) -> Void in [
                { $0.sharedSecrets = [Secret(Self.secret)] }, { $0.issuer = "https://other.example.com" },
                { ($0.keySetURL, $0.algorithms) = ("https://login.example.com/keys", [.es256]) },
            ] {
                var catalog = try await Self.takeUploads(server)
                _ = try await Self.upload("a secret of the login, 32 bytes long", office, server)
                #expect(try await server.applyCatalog(catalog).changes == [])
                catalog.tokenIssuer?.longestLifetime = 600
                let applied = try await server.applyCatalog(catalog).changes
                #expect(applied == ["changed token issuer https://login.example.com"])
                #expect(try await office.count("token_issuer_secrets") == 1)
                if var issuer = catalog.tokenIssuer {
                    change(&issuer)
                    catalog.tokenIssuer = issuer
                }
                #expect(try await server.applyCatalog(catalog).changes.contains(removed))
                #expect(try await office.count("token_issuer_secrets") == 0)
            }
        }
    }

    @Test("what is no secret is refused by its field, and nothing is kept")
    func uploadedNonsense() async throws {
        try await Self.run { office, server in
            try await Self.takeUploads(server)
            for text in [
                "", "9223372036854775808", "1.5", String(repeating: "a", count: 31),
                String(repeating: "a", count: 1_025), String(repeating: "a", count: 100_000),
                String(repeating: "a", count: 40) + "\0", String(repeating: "a", count: 40) + "\n" + "b",
                " " + String(repeating: "a", count: 40),
            ] {
                let error = await #expect(throws: OperationsError.self) {
                    _ = try await Self.upload(text, office, server)
                }
                #expect(error?.code == .invalid)
                #expect(error?.field == "sharedSecret")
            }
            #expect(try await office.count("token_issuer_secrets") == 0)
        }
    }

    /// Applies the catalogue without the keys and the secret of the issuer.
    @discardableResult
    private static func takeUploads(_ server: BackOffice) async throws -> Catalog {
        var catalog = try Catalog.readmigo()
        catalog.tokenIssuer = issuer
        catalog.tokenIssuer?.sharedSecrets = []
        _ = try await server.applyCatalog(catalog)
        return catalog
    }

    private static func upload(_ text: String, _ office: TestOffice, _ server: BackOffice) async throws -> String {
        let app = try await office.app()
        return try await server.saveIssuerSecret(Secret(text), of: app, once: nil, caller: .commandLine).result
    }

    private static func remove(_ id: String, _ office: TestOffice, _ server: BackOffice) async throws {
        _ = try await server.removeIssuerSecret(
            try #require(StoredIssuerSecret.ID(id)),
            of: try await office.app(),
            reason: Reason(.testing, "It was for a test alone."),
            once: nil,
            caller: .commandLine
        )
    }
}
