import Foundation
import HTTPTypes
import Postgres
import Testing

@testable import Desk
@testable import HTTP

@Suite("The customer API as the llm-proxy document has it") struct IOSTests {
    @Test("the status of who bought has the document's fields, and dates with milliseconds")
    func bought() async throws {
        try await CustomerCalls.run { calls in
            let answer = try await calls.ask(.get, "/ios/status", token: try await calls.buyer())
            #expect(answer.status == .ok)
            let status = try answer.object()
            #expect(Set(status.keys) == ["success", "data"])
            #expect(status["success"] as? Bool == true)
            let data = try #require(status["data"] as? [String: Any])
            #expect(Set(data.keys) == ["plan", "status", "platform", "expiresDate", "ios"])
            #expect(data["plan"] as? String == "PRO")
            #expect(data["status"] as? String == "active")
            #expect(data["platform"] as? String == "ios")
            #expect(data["expiresDate"] as? String == "2026-12-01T00:00:00.000Z")
            let ios = try #require(data["ios"] as? [String: Any])
            #expect(Set(ios.keys) == ["productId", "transactionId", "lastValidationDate", "needsReceiptRefresh"])
            #expect(ios["productId"] as? String == "com.readmigo.pro.monthly")
            #expect(ios["transactionId"] as? String == "2000000123456789")
            #expect(ios["lastValidationDate"] as? String == "2026-11-02T03:04:05.000Z")
            #expect(ios["needsReceiptRefresh"] as? Bool == false)
        }
    }

    @Test("who bought nothing has the plan that everybody has, and nothing to refresh")
    func nobody() async throws {
        try await CustomerCalls.run { calls in
            let answer = try await calls.ask(.get, "/ios/status", token: try await calls.nobody())
            let data = try #require(try answer.object()["data"] as? [String: Any])
            #expect(data["plan"] as? String == "FREE")
            #expect(data["status"] as? String == "active")
            #expect(data["platform"] is NSNull)
            #expect(data["expiresDate"] is NSNull)
            let ios = try #require(data["ios"] as? [String: Any])
            #expect(ios["productId"] is NSNull)
            #expect(ios["lastValidationDate"] is NSNull)
            #expect(ios["needsReceiptRefresh"] as? Bool == false)
        }
    }

    @Test("what is used of requests and tokens is there as the document has it: current, limit, percentage")
    func usage() async throws {
        try await CustomerCalls.run { calls in
            try await calls.site.pool.withConnection { try await $0.execute(script: Self.quotas) }
            let token = try await calls.buyer()
            for (feature, quantity) in [("requests", 45), ("tokens", 12_500)] {
                let body = "{\"quantity\":\(quantity)}"
                #expect(try await calls.ask(.post, "/usage/\(feature)", token: token, body: body).status == .ok)
            }
            let data = try #require(
                try await calls.ask(.get, "/ios/status", token: token).object()["data"] as? [String: Any]
            )
            #expect(Set(data.keys) == ["plan", "status", "platform", "expiresDate", "usage", "ios"])
            let usage = try #require(data["usage"] as? [String: [String: Any]])
            #expect(Set(usage.keys) == ["requests", "tokens"])
            let (requests, tokens) = (try #require(usage["requests"]), try #require(usage["tokens"]))
            #expect(Set(requests.keys) == ["current", "limit", "percentage"])
            #expect((requests["current"] as? Int, requests["limit"] as? Int) == (45, 1_000))
            #expect(requests["percentage"] as? Double == 4.5)
            #expect((tokens["current"] as? Int, tokens["limit"] as? Int) == (12_500, 100_000))
            #expect(tokens["percentage"] as? Double == 12.5)
            // The plan that everybody has does not limit tokens.
            let other = try await calls.ask(.get, "/ios/status", token: try await calls.nobody()).object()
            let free = try #require((other["data"] as? [String: Any])?["usage"] as? [String: [String: Any]])
            #expect(free["tokens"]?["limit"] is NSNull)
            #expect(free["tokens"]?["percentage"] is NSNull)
        }
    }

    private static let quotas = """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), id, f.code, f.code, '{}', f.position
        FROM apps, (VALUES ('requests', 0), ('tokens', 1)) AS f (code, position)
        WHERE slug = 'readmigo';
        INSERT INTO plan_features (plan_id, feature_id, per_month)
        SELECT p.id, f.id, x.per_month
        FROM (VALUES ('PRO', 'requests', 1000), ('PRO', 'tokens', 100000), ('FREE', 'requests', 50), ('FREE', 'tokens', NULL))
            AS x (plan, feature, per_month)
        JOIN apps a ON a.slug = 'readmigo'
        JOIN plans p ON p.app_id = a.id AND p.code = x.plan
        JOIN features f ON f.app_id = a.id AND f.code = x.feature;
        """

    @Test("what staff gave is a plan without a product")
    func given() async throws {
        try await CustomerCalls.run { calls in
            let answer = try await calls.ask(.get, "/ios/status", token: try await calls.given())
            let data = try #require(try answer.object()["data"] as? [String: Any])
            #expect(data["plan"] as? String == "PRO")
            #expect(data["platform"] as? String == "grant")
            #expect(data["expiresDate"] as? String == "2027-01-01T00:00:00.000Z")
            #expect((data["ios"] as? [String: Any])?["productId"] is NSNull)
        }
    }

    @Test("a receipt is to be sent again while the store has not confirmed one, and once a renewal is overdue")
    func refresh() async throws {
        try await CustomerCalls.run { calls in
            try await calls.site.addVerification()
            let waiting = try await calls.ask(.get, "/ios/status", token: try await calls.buyer())
            #expect(try Self.needsRefresh(waiting))
        }
        try await CustomerCalls.run { calls in
            calls.site.clock.advance(by: 30 * 86_400)
            let overdue = try await calls.ask(.get, "/ios/status", token: try await calls.buyer())
            #expect(try Self.needsRefresh(overdue))
            let data = try #require(try overdue.object()["data"] as? [String: Any])
            #expect(data["plan"] as? String == "FREE")
            #expect(data["status"] as? String == "expired")
            #expect(data["expiresDate"] as? String == "2026-12-01T00:00:00.000Z")
        }
    }

    @Test("restoring without a receipt answers what there is, in the document's shape")
    func restore() async throws {
        try await CustomerCalls.run { calls in
            let answer = try await calls.ask(.post, "/ios/restore", token: try await calls.buyer(), language: "zh")
            #expect(answer.status == .ok)
            let restored = try answer.object()
            #expect(Set(restored.keys) == ["success", "message", "data"])
            #expect(restored["message"] as? String == "购买已恢复。")
            let data = try #require(restored["data"] as? [String: Any])
            #expect(Set(data.keys) == ["subscription", "user"])
            let user = try #require(data["user"] as? [String: Any])
            #expect(Set(user.keys) == ["id", "subscription"])
            #expect(user["id"] as? String == TestSite.customer)
            for each in [data["subscription"], user["subscription"]] {
                let subscription = try #require(each as? [String: Any])
                #expect(Set(subscription.keys) == ["plan", "status", "expiresDate", "productId", "transactionId"])
                #expect(subscription["plan"] as? String == "PRO")
                #expect(subscription["expiresDate"] as? String == "2026-12-01T00:00:00.000Z")
                #expect(subscription["transactionId"] as? String == "2000000123456789")
            }
        }
    }

    @Test("what proves nothing is 400, and says so to the customer and to the program")
    func proofOfNothing() async throws {
        try await CustomerCalls.run { calls in
            try await calls.site.addStoreAccount()
            let answer = try await calls.ask(
                .post,
                "/ios/validate-receipt",
                token: try await calls.nobody(),
                language: "tr",
                body: "{\"signedTransactions\":[\"x\"]}"
            )
            #expect(answer.status == .badRequest)
            let problem = try answer.object()
            #expect(problem["success"] as? Bool == false)
            #expect(problem["message"] as? String == "Abonelik doğrulanamadı")
            #expect(problem["status"] as? Int == 400)
            #expect(problem["type"] as? String == "/problems/bad-request")
            #expect(try answer.fields().allSatisfy { $0.hasPrefix("signedTransactions") })
            #expect(try await calls.site.count("purchase_verifications") == 0)
        }
    }

    @Test(
        "what is no receipt is 400 by its field, as the document has it, and changes nothing",
        arguments: ["validate-receipt", "restore"]
    )
    func noReceipt(call: String) async throws {
        try await CustomerCalls.run { calls in
            try await calls.site.addStoreAccount()
            let token = try await calls.nobody()
            for field in ["transactionId", "productId"] {
                for text in CustomerCalls.noTexts {
                    let answer = try await calls.ask(
                        .post,
                        "/ios/\(call)",
                        token: token,
                        body: "{\"\(field)\":\(text)}"
                    )
                    #expect(answer.status == .badRequest, "\(field): \(text.prefix(30))")
                    #expect(try answer.fields() == [field])
                    #expect(try answer.object()["success"] as? Bool == false)
                    #expect(try answer.object()["message"] is String)
                }
            }
            for text in ["\"\"", "1.5", "[]", "\"A\\u0000\""] {
                let answer = try await calls.ask(
                    .post,
                    "/ios/\(call)",
                    token: token,
                    body: "{\"receiptData\":\(text)}"
                )
                #expect(answer.status == .badRequest)
                #expect(try answer.fields() == ["receiptData"])
            }
            #expect(try await calls.site.count("purchase_verifications") == 0)
        }
    }

    @Test("a validation without a receipt says what is missing")
    func missing() async throws {
        try await CustomerCalls.run { calls in
            let answer = try await calls.ask(
                .post,
                "/ios/validate-receipt",
                token: try await calls.nobody(),
                body: "{}"
            )
            #expect(answer.status == .badRequest)
            #expect(try answer.fields() == ["receiptData"])
            #expect(try answer.object()["code"] as? String == "receiptValidationFailed")
        }
    }

    @Test("without a token it is refused, and says that it failed as the document's answers do")
    func signedOut() async throws {
        try await CustomerCalls.run { calls in
            for (method, path) in [
                (.get, "/ios/status"), (.post, "/ios/validate-receipt"), (.post, "/ios/restore"),
            ] as [(HTTPRequest.Method, String)] {
                let answer = try await calls.ask(method, path)
                #expect(answer.status == .unauthorized)
                #expect(try answer.object()["success"] as? Bool == false)
            }
            let webhook = try await calls.ask(.post, "/ios/webhook", body: "{}")
            #expect(try webhook.object()["success"] == nil)
        }
    }

    @Test("the plans are there for everybody, with the products of the App Store")
    func plans() async throws {
        try await CustomerCalls.run { calls in
            let answer = try await calls.ask(.get, "/ios/plans?currency=USD", app: "readmigo", language: "en")
            #expect(answer.status == .ok)
            let data = try #require(try answer.object()["data"] as? [String: Any])
            let plans = try #require(data["plans"] as? [[String: Any]])
            #expect(plans.map { $0["plan"] as? String } == ["FREE", "PRO"])
            #expect((plans.first?["products"] as? [Any])?.isEmpty == true)
            let products = try #require(plans.last?["products"] as? [[String: Any]])
            #expect(
                products.map { $0["productId"] as? String } == ["com.readmigo.pro.monthly", "com.readmigo.pro.forever"]
            )
            #expect(products.first?["localizedPrice"] as? String == "$9.99/month")
            #expect(products.last?["billingPeriod"] as? String == "lifetime")
            #expect(products.last?["price"] is NSNull)
        }
    }

    private static func needsRefresh(_ answer: CustomerCalls.Answer) throws -> Bool {
        let data = try #require(try answer.object()["data"] as? [String: Any])
        let ios = try #require(data["ios"] as? [String: Any])
        return try #require(ios["needsReceiptRefresh"] as? Bool)
    }
}
