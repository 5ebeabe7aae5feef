import Foundation
import HTTPTypes
import Postgres
import Testing

@testable import Desk
@testable import HTTP

@Suite("The customer API as the lightgallery document has it") struct PaymentTests {
    private static let fields: Set<String> = [
        "id", "userId", "tier", "billingPeriod", "status", "startDate", "expiryDate", "autoRenew", "paymentMethod",
        "lastSyncedAt",
    ]
    private static let root = "/api/v1/subscription"

    @Test("the status of who bought has the document's fields")
    func bought() async throws {
        try await CustomerCalls.run { calls in
            let answer = try await calls.ask(.get, "\(Self.root)/status", token: try await calls.buyer())
            #expect(answer.status == .ok)
            let subscription = try answer.object()
            #expect(Set(subscription.keys) == Self.fields)
            #expect(subscription["id"] as? String == CustomersTests.note)
            #expect(subscription["userId"] as? String == TestSite.customer)
            #expect(subscription["tier"] as? String == "PRO")
            #expect(subscription["billingPeriod"] as? String == "monthly")
            #expect(subscription["status"] as? String == "active")
            #expect(subscription["startDate"] as? String == "2026-01-01T00:00:00Z")
            #expect(subscription["expiryDate"] as? String == "2026-12-01T00:00:00Z")
            #expect(subscription["autoRenew"] as? Bool == true)
            #expect(subscription["paymentMethod"] as? String == "apple_iap")
            #expect(subscription["lastSyncedAt"] as? String == "2026-11-02T03:04:05Z")
        }
    }

    @Test("a cancelled subscription is cancelled until its end, and expired then")
    func cancelled() async throws {
        try await CustomerCalls.run { calls in
            _ = try await calls.site.pool.query(
                "UPDATE subscriptions SET state = 'cancelled', renews_automatically = false"
            )
            let running = try await calls.ask(.get, "\(Self.root)/status", token: try await calls.buyer()).object()
            #expect(running["status"] as? String == "cancelled")
            #expect(running["tier"] as? String == "PRO")
            calls.site.clock.advance(by: 30 * 86_400)
            let over = try await calls.ask(.get, "\(Self.root)/status", token: try await calls.buyer()).object()
            #expect(over["status"] as? String == "expired")
            #expect(over["tier"] as? String == "FREE")
            #expect(over["autoRenew"] as? Bool == false)
        }
    }

    @Test("who never had anything has no subscription, as the document's client takes it")
    func nobody() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            for (method, call) in [(.get, "status"), (.post, "sync")] as [(HTTPRequest.Method, String)] {
                let answer = try await calls.ask(method, "\(Self.root)/\(call)", token: token)
                #expect(answer.status == .ok)
                #expect(String(decoding: answer.body, as: UTF8.self) == "null")
            }
        }
    }

    @Test("a first purchase that waits for its store has each member that the document's client needs, from its proof")
    func pending() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            _ = try await calls.site.pool.query(
                """
                INSERT INTO purchase_verifications
                    (id, app_id, customer_id, store, form, proof, digest, state, problem, requested_at)
                SELECT \(TestSite.verification)::uuid, app_id, id, 'apple', 'transaction_id', '{2000}',
                    decode(repeat('00', 32), 'hex'), 'pending', 'The App Store Server API did not answer.',
                    '2026-11-20 03:04:05.678Z'
                FROM customers WHERE external_id = 'nobody'
                """
            )
            let subscription = try await calls.ask(.get, "\(Self.root)/status", token: token).object()
            #expect(Set(subscription.keys) == Self.fields)
            #expect(subscription.values.allSatisfy { !($0 is NSNull) })
            #expect(subscription["id"] as? String == TestSite.verification)
            #expect(subscription["status"] as? String == "pending")
            #expect(subscription["tier"] as? String == "FREE")
            #expect(subscription["billingPeriod"] as? String == "monthly")
            #expect(subscription["startDate"] as? String == "2026-11-20T03:04:05Z")
            #expect(subscription["expiryDate"] as? String == "2026-11-20T03:04:05Z")
            #expect(subscription["paymentMethod"] as? String == "apple_iap")
            #expect(subscription["lastSyncedAt"] as? String == "2026-11-20T03:04:05Z")
        }
    }

    @Test("a moment is in whole seconds, whatever was told")
    func seconds() async throws {
        try await CustomerCalls.run { calls in
            _ = try await calls.site.pool.query(
                """
                UPDATE subscriptions
                SET started_at = started_at + interval '999.6 milliseconds', period_ends_at = period_ends_at + interval '1 millisecond'
                """
            )
            let answer = try await calls.ask(.get, "\(Self.root)/status", token: try await calls.buyer()).object()
            #expect(answer["startDate"] as? String == "2026-01-01T00:00:00Z")
            #expect(answer["expiryDate"] as? String == "2026-12-01T00:00:00Z")
        }
    }

    @Test("what staff gave was paid by a grant")
    func given() async throws {
        try await CustomerCalls.run { calls in
            let subscription = try await calls.ask(
                .get,
                "\(Self.root)/status",
                token: try await calls.given()
            ).object()
            #expect(UUID(uuidString: subscription["id"] as? String ?? "") != nil)
            #expect(subscription["tier"] as? String == "PRO")
            #expect(subscription["paymentMethod"] as? String == "grant")
            #expect(subscription["billingPeriod"] is NSNull)
        }
    }

    @Test("a payment that is none is refused by its field, one of another store is a conflict, and nothing changes")
    func verify() async throws {
        try await CustomerCalls.run { calls in
            try await calls.site.addStoreAccount()
            let token = try await calls.nobody()
            func verify(_ body: String, _ language: String = "en") async throws -> CustomerCalls.Answer {
                try await calls.ask(.post, "\(Self.root)/verify", token: token, language: language, body: body)
            }
            for text in CustomerCalls.noTexts + ["null", "\"grant\"", "\"APPLE_IAP\""] {
                let answer = try await verify("{\"paymentMethod\":\(text)}")
                #expect(answer.status == .unprocessableContent, "\(text.prefix(30))")
                #expect(try answer.fields() == ["paymentMethod"])
            }
            for method in ["wechat_pay", "alipay"] {
                let answer = try await verify("{\"paymentMethod\":\"\(method)\",\"transactionId\":\"1\"}", "zh")
                #expect(answer.status == .conflict)
                #expect(try answer.object()["detail"] as? String == "目前仅支持验证 App Store 和 Google Play 的购买。")
            }
            for field in ["transactionId", "productId"] {
                for text in CustomerCalls.noTexts {
                    let answer = try await verify("{\"paymentMethod\":\"apple_iap\",\"\(field)\":\(text)}")
                    #expect(answer.status == .unprocessableContent, "\(field): \(text.prefix(30))")
                    #expect(try answer.fields() == [field])
                }
            }
            // A proof of a purchase at one store is none of a payment at another.
            let elsewhere = try await verify("{\"paymentMethod\":\"google_play\",\"transactionId\":\"1\"}")
            #expect(try elsewhere.fields() == ["purchaseToken"])
            let other = try await verify("{\"paymentMethod\":\"apple_iap\",\"purchaseToken\":\"1\"}")
            #expect(try other.fields() == ["signedTransactions"])
            let unconnected = try await verify("{\"paymentMethod\":\"google_play\",\"purchaseToken\":\"1\"}")
            #expect(unconnected.status == .conflict)
            let missing = try await verify("{\"paymentMethod\":\"apple_iap\"}")
            #expect(try missing.fields() == ["signedTransactions"])
            let nothing = try await verify("{\"paymentMethod\":\"apple_iap\",\"signedTransactions\":[\"x\"]}")
            #expect(nothing.status == .unprocessableContent)
            #expect(try await calls.site.count("purchase_verifications") == 0)
        }
    }

    @Test("where the store cannot be asked, a sync answers what is known")
    func sync() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.buyer()
            let synced = try await calls.ask(.post, "\(Self.root)/sync", token: token)
            #expect(synced.status == .ok)
            let names = Set(try synced.object().keys)
            #expect(names == Self.fields)
            let status = try await calls.ask(.get, "\(Self.root)/status", token: token)
            #expect(synced.body == status.body)
            #expect(try await calls.site.count("purchase_verifications") == 0)
        }
    }

    @Test("who cancels what Apple sold is told where; what does not renew is a conflict")
    func cancel() async throws {
        try await CustomerCalls.run { calls in
            let apple = try await calls.ask(
                .post,
                "\(Self.root)/cancel",
                token: try await calls.buyer(),
                language: "tr"
            )
            #expect(apple.status == .ok)
            let answer = try apple.object()
            #expect(Set(answer.keys) == ["cancelled", "manageUrl", "message"])
            #expect(answer["cancelled"] as? Bool == false)
            #expect(answer["manageUrl"] as? String == "https://apps.apple.com/account/subscriptions")
            #expect(
                (answer["message"] as? String)?.hasPrefix("Bu aboneliği yalnızca siz, Apple üzerinden iptal") == true
            )
            // Bought for good: Apple has nothing to cancel either.
            _ = try await calls.site.pool.query(
                "UPDATE subscriptions SET renews_automatically = false, period_ends_at = NULL"
            )
            let kept = try await calls.ask(.post, "\(Self.root)/cancel", token: try await calls.buyer())
            #expect(kept.status == .conflict)
            #expect(try kept.object()["code"] as? String == "doesNotRenew")
            let nothing = try await calls.ask(.post, "\(Self.root)/cancel", token: try await calls.nobody())
            #expect(nothing.status == .conflict)
            #expect(try nothing.object()["detail"] as? String == "There is no subscription to cancel.")
            let grant = try await calls.ask(.post, "\(Self.root)/cancel", token: try await calls.given())
            #expect(grant.status == .conflict)
            #expect(try grant.object()["detail"] as? String != "There is no subscription to cancel.")
        }
    }

    @Test("without a token there is nothing but the products")
    func signedOut() async throws {
        try await CustomerCalls.run { calls in
            let status = try await calls.ask(.get, "\(Self.root)/status")
            #expect(status.status == .unauthorized)
            for call in ["verify", "sync", "cancel"] {
                let answer = try await calls.ask(.post, "\(Self.root)/\(call)")
                #expect(answer.status == .unauthorized)
            }
            let products = try await calls.ask(.get, "\(Self.root)/products", app: "readmigo")
            #expect(products.status == .ok)
        }
    }

    @Test("a product has the document's fields, its price a number and a text of the caller's language")
    func products() async throws {
        try await CustomerCalls.run { calls in
            let path = "\(Self.root)/products"
            let products = try await calls.ask(.get, "\(path)?app=readmigo", language: "zh-CN").list()
            // A product without a list price is left out.
            #expect(products.count == 1)
            let product = try #require(products.first)
            #expect(
                Set(product.keys) == [
                    "id", "tier", "billingPeriod", "price", "currency", "localizedPrice", "localizedDescription",
                ]
            )
            #expect(product["id"] as? String == "com.readmigo.pro.monthly")
            #expect(product["tier"] as? String == "PRO")
            #expect(product["billingPeriod"] as? String == "monthly")
            #expect(product["price"] as? Double == 128)
            #expect(product["currency"] as? String == "CNY")
            #expect(product["localizedPrice"] as? String == "¥128/月")
            #expect(product["localizedDescription"] as? String == "Pro monthly")
            let lira = try await calls.ask(.get, "\(path)?currency=TRY", app: "readmigo", language: "tr").list()
            #expect(lira.first?["price"] as? Double == 49.99)
            #expect(lira.first?["localizedPrice"] as? String == "₺49,99/ay")
            let euro = try await calls.ask(.get, "\(path)?currency=EUR", app: "readmigo").list()
            #expect(euro.first?["currency"] as? String == "CNY")
            let wechat = try await calls.ask(.get, "\(path)?paymentMethod=wechat_pay", app: "readmigo").list()
            #expect(wechat.isEmpty)
            #expect(try await calls.ask(.get, path, app: "kombin").list().isEmpty)
        }
    }

    @Test("what several stores sell under one id is listed once, as the App Store has it")
    func productsOnce() async throws {
        try await CustomerCalls.run { calls in
            _ = try await calls.site.pool.query(
                """
                WITH sold AS (
                    INSERT INTO products
                    SELECT (jsonb_populate_record(p, jsonb_build_object(
                        'id', gen_random_uuid(), 'store', 'alipay', 'name', 'At Alipay'))).*
                    FROM products p
                    WHERE p.store_product_id = 'com.readmigo.pro.monthly' AND p.store = 'apple'
                    RETURNING id
                )
                INSERT INTO product_prices
                SELECT (jsonb_populate_record(r, jsonb_build_object('product_id', sold.id))).*
                FROM sold, product_prices r
                JOIN products p ON p.id = r.product_id AND p.store_product_id = 'com.readmigo.pro.monthly' AND p.store = 'apple'
                """
            )
            let path = "\(Self.root)/products"
            let all = try await calls.ask(.get, path, app: "readmigo").list()
            #expect(all.compactMap { $0["localizedDescription"] as? String } == ["Pro monthly"])
            let alipay = try await calls.ask(.get, "\(path)?paymentMethod=alipay", app: "readmigo").list()
            #expect(alipay.compactMap { $0["localizedDescription"] as? String } == ["At Alipay"])
        }
    }

    @Test("a call without a token names its app where there are several, and no parameter that there is not")
    func app() async throws {
        try await CustomerCalls.run { calls in
            for path in ["\(Self.root)/products", "/ios/plans"] {
                for query in ["", "?app=", "?app=nothing", "?app=-9223372036854775808"] {
                    let answer = try await calls.ask(.get, path + query)
                    #expect(answer.status == .unprocessableContent, "\(path)\(query)")
                    #expect(try answer.fields() == ["app"])
                }
                for value in ["", "1.5", "yuan", "10000000000000000000", String(repeating: "A", count: 5_000)] {
                    let answer = try await calls.ask(.get, "\(path)?currency=\(value)", app: "readmigo")
                    #expect(answer.status == .unprocessableContent, "\(value.prefix(30))")
                    #expect(try answer.fields() == ["currency"])
                }
                #expect(try await calls.ask(.get, "\(path)?app=%00").status == .badRequest)
                #expect(try await calls.ask(.get, "\(path)?page=1", app: "readmigo").fields() == ["page"])
            }
            let method = try await calls.ask(.get, "\(Self.root)/products?paymentMethod=cash", app: "readmigo")
            #expect(try method.fields() == ["paymentMethod"])
        }
    }

    @Test("the only app that is kept needs no name")
    func onlyApp() async throws {
        try await CustomerCalls.run { calls in
            _ = try await calls.site.pool.query("DELETE FROM apps WHERE slug = 'kombin'")
            #expect(try await calls.ask(.get, "\(Self.root)/products").list().count == 1)
            #expect(try await calls.ask(.get, "/ios/plans").status == .ok)
        }
    }
}
