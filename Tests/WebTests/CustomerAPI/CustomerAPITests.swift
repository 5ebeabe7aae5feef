import Billing
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import Operations
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("The customer API") struct CustomerAPITests {
    @Test("who has bought nothing has the plan that everybody has, in no more than one question")
    func nobody() async throws {
        try await TestSite.run { site in
            let answer = try await Self.ask(
                .get,
                "/subscriptions/status",
                site,
                token: try await Self.token("u1", site)
            )
            #expect(answer.status == .ok)
            let status = try answer.object()
            #expect(status["externalId"] as? String == "u1")
            #expect(status["status"] as? String == "ACTIVE")
            #expect(status["source"] as? String == "NONE")
            for field in ["id", "createdAt", "updatedAt"] { #expect(status[field] is NSNull, "\(field)") }
            #expect(status["willRenew"] as? Bool == false)
            #expect(UUID(uuidString: status["appAccountToken"] as? String ?? "") != nil)
        }
    }

    @Test("without a token, with another's, and for another app it is refused and told nothing")
    func refused() async throws {
        try await TestSite.run { site in
            let token = try await Self.token("u1", site)
            for text in [nil, "", "x", "pst_\(String(repeating: "0", count: 64))", token + "x"] {
                let answer = try await Self.ask(.get, "/subscriptions/status", site, token: text)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"perennial\"")
            }
            let other = try await Self.ask(.get, "/subscriptions/status?app=kombin", site, token: token)
            #expect(other.status == .unprocessableContent)
            #expect(try other.fields() == ["app"])
            let own = try await Self.ask(.get, "/subscriptions/status?app=readmigo", site, token: token)
            #expect(own.status == .ok)
            let unknown = try await Self.ask(
                .get,
                "/subscriptions/status?page=-9223372036854775808",
                site,
                token: token
            )
            #expect(try unknown.fields() == ["page"])
            // It opens no call of staff.
            #expect(try await Self.ask(.get, "/admin/orders", site, token: token).status == .unauthorized)
        }
    }

    @Test("signing out ends the token")
    func logOut() async throws {
        try await TestSite.run { site in
            let token = try await Self.token("u1", site)
            #expect(try await Self.ask(.post, "/api/v1/auth/logout", site, token: token).status == .noContent)
            #expect(try await Self.ask(.post, "/api/v1/auth/logout", site, token: token).status == .unauthorized)
            #expect(try await Self.ask(.get, "/subscriptions/status", site, token: token).status == .unauthorized)
        }
    }

    @Test("the keys that are published check a token that the server signed")
    func keySet() async throws {
        try await TestSite.run { site in
            _ = try await Self.token("u1", site)
            let answer = try await Self.ask(.get, "/.well-known/jwks.json", site)
            #expect(answer.status == .ok)
            let keys = try #require(try answer.object()["keys"] as? [[String: Any]])
            #expect(keys.count == 1)
            #expect(keys.first?["crv"] as? String == "P-256")
            #expect(Set(keys.first?.keys.map { $0 } ?? []) == ["kty", "crv", "alg", "use", "kid", "x", "y"])
        }
    }

    @Test("a pair is made anew, and what is no refresh token is refused by its field")
    func refresh() async throws {
        try await TestSite.run { site in
            let tokens = try await Self.begin(site)
            let path = "/api/v1/auth/token/refresh"
            let answer = try await Self.ask(.post, path, site, body: "{\"refreshToken\":\"\(tokens)\"}")
            #expect(answer.status == .ok)
            let pair = try answer.object()
            #expect(pair["tokenType"] as? String == "Bearer")
            // The same AuthResponse as a sign-in's (lightgallery, AuthController).
            #expect(
                Set(pair.keys) == [
                    "accessToken", "refreshToken", "expiresAt", "expiresIn", "tokenType", "userId", "isNewUser", "user",
                ]
            )
            #expect(pair["isNewUser"] as? Bool == false)
            #expect((pair["user"] as? [String: Any])?["id"] as? String == pair["userId"] as? String)
            let token = try #require(pair["accessToken"] as? String)
            #expect(try await Self.ask(.get, "/subscriptions/status", site, token: token).status == .ok)
            for body in ["", "{}", "{\"refreshToken\":\"\"}", "{\"refreshToken\":null}", "{\"refreshToken\":1.5}"] {
                let refused = try await Self.ask(.post, path, site, body: body)
                #expect(refused.status == .unprocessableContent)
                #expect(try refused.fields() == ["refreshToken"])
            }
            for text in ["prt_x", "prt_\(String(repeating: "0", count: 64))"] {
                let unknown = try await Self.ask(.post, path, site, body: "{\"refreshToken\":\"\(text)\"}")
                #expect(unknown.status == .unauthorized)
                #expect(try unknown.object()["code"] as? String == "tokenInvalid", "\(text)")
            }
        }
    }

    @Test(
        "a proof that is none is refused by its field",
        arguments: [
            ("{}", "signedTransactions"), ("{\"signedTransactions\":[]}", "signedTransactions"),
            ("{\"signedTransactions\":[\"\"]}", "signedTransactions.0"), ("{\"receiptData\":\"\"}", "receiptData"),
            ("{\"receiptData\":1.5}", "receiptData"), ("{\"transactionId\":\"\"}", "transactionId"),
            ("{\"transactionId\":10000000000000000000}", "transactionId"),
            ("{\"transactionId\":\"1\\u0000\"}", "transactionId"),
        ]
    )
    func proof(body: String, field: String) async throws {
        try await TestSite.run { site in
            try await site.addStoreAccount()
            let token = try await Self.token("u1", site)
            let answer = try await Self.ask(.post, "/subscriptions/verify", site, token: token, body: body)
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.fields() == [field])
            #expect(try await site.count("purchase_verifications") == 0)
        }
    }

    @Test("restoring without a proof answers what there is, in the caller's language")
    func restore() async throws {
        try await TestSite.run { site in
            let token = try await Self.token("u1", site)
            let answer = try await Self.ask(.post, "/subscriptions/restore", site, token: token, language: "tr-TR")
            #expect(answer.status == .ok)
            let restored = try answer.object()
            #expect(restored["message"] as? String == "Satın almalar geri yüklendi.")
            #expect((restored["subscription"] as? [String: Any])?["externalId"] as? String == "u1")
        }
    }

    private typealias Answer = CustomerCalls.Answer

    private static func token(_ customer: String, _ site: TestSite) async throws -> String {
        try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: customer, isAnonymous: false),
            of: try #require(App.ID(TestSite.readmigo)),
            caller: .commandLine
        ).accessToken.revealed
    }

    private static func begin(_ site: TestSite) async throws -> String {
        let app = try #require(App.ID(TestSite.readmigo))
        let session = try #require(try await site.backOffice.customerSession(try await token("u1", site)))
        let tokens = try await site.backOffice.beginSession(by: .apple, for: session.customer, of: app)
        return try #require(tokens.refreshToken).revealed
    }

    private static func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ site: TestSite,
        token: String? = nil,
        language: String? = nil,
        body: String? = nil
    ) async throws -> Answer {
        try await CustomerCalls(site: site).ask(method, path, token: token, language: language, body: body)
    }
}
