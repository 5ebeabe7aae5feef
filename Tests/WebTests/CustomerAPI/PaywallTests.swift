import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import Storage
import Testing

@testable import Desk

@Suite("The paywall") struct PaywallTests {
    @Test("it says the app's words, its plans and products in the language that is asked for")
    func words() async throws {
        try await Self.run { calls in
            let paywall = try await calls.ask(.get, "/paywall", app: "readmigo", language: "tr").object()
            #expect(
                Set(paywall.keys) == [
                    "app", "title", "headline", "subscribe", "termsUrl", "privacyUrl", "plans", "products", "locked",
                    "customer",
                ]
            )
            #expect(paywall["app"] as? String == "readmigo")
            #expect(paywall["title"] as? String == "Readmigo Pro")
            #expect(paywall["headline"] as? String == "Sınırsız okuyun")
            #expect(paywall["subscribe"] is NSNull)
            #expect(paywall["termsUrl"] as? String == "https://readmigo.example/terms")
            #expect(paywall["customer"] is NSNull)
            let plans = try #require(paywall["plans"] as? [[String: Any]])
            #expect(plans.compactMap { $0["plan"] as? String } == ["FREE", "PRO"])
            let benefits = try #require(plans.last?["benefits"] as? [[String: Any]])
            #expect(benefits.first?["text"] as? String == "Sınırsız")
            #expect(benefits.first?["icon"] as? String == "infinity")
            let features = try #require(plans.first?["features"] as? [[String: Any]])
            #expect(features.compactMap { $0["feature"] as? String } == ["ai"])
        }
    }

    @Test("a product has what the kombin document names, its trial, and what it saves against the month")
    func products() async throws {
        try await Self.run { calls in
            let lira = try await calls.ask(.get, "/paywall?currency=TRY", app: "readmigo", language: "tr").object()
            let products = try #require(lira["products"] as? [[String: Any]])
            #expect(
                products.compactMap { $0["id"] as? String } == [
                    "com.readmigo.pro.monthly", "com.readmigo.pro.yearly", "com.readmigo.pro.forever",
                ]
            )
            let (month, year, forever) = (products[0], products[1], products[2])
            #expect(month["price"] as? String == "₺49,99/ay")
            #expect(month["duration"] as? String == "1 ay")
            #expect(month["features"] as? [String] == ["Sınırsız"])
            #expect(month["isRecommended"] as? Bool == true)
            #expect(month["paymentMethod"] as? String == "apple_iap")
            #expect(month["saving"] is NSNull)
            #expect(month["trial"] is NSNull)
            #expect(year["price"] as? String == "₺399,99/yıl")
            #expect(year["isRecommended"] as? Bool == false)
            let trial = try #require(year["trial"] as? [String: Any])
            #expect(trial["period"] as? String == "P7D")
            #expect(trial["text"] as? String == "7 gün ücretsiz")
            let saving = try #require(year["saving"] as? [String: Any])
            #expect(saving["percent"] as? Int == 33)
            #expect(saving["amount"] as? Double == 199.89)
            #expect(saving["comparedTo"] as? String == "com.readmigo.pro.monthly")
            #expect(saving["text"] as? String == "%33 tasarruf")
            #expect(forever["price"] is NSNull)
            #expect(forever["duration"] is NSNull)
            // A product without a price in the app's currency is shown in a currency that it has, and compared in that.
            let yuan = try await calls.ask(.get, "/paywall", app: "readmigo", language: "zh-Hans").object()
            let inYuan = try #require(yuan["products"] as? [[String: Any]])
            #expect(inYuan[0]["price"] as? String == "¥128/月")
            #expect(inYuan[1]["currency"] as? String == "TRY")
            #expect((inYuan[1]["saving"] as? [String: Any])?["text"] as? String == "节省33%")
            let wechat = try await calls.ask(.get, "/paywall?paymentMethod=wechat_pay", app: "readmigo").object()
            #expect((wechat["products"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("with a token it says what the customer has and what is locked; without one, of the plan that everybody has")
    func locked() async throws {
        try await Self.run { calls in
            let token = try await calls.nobody()
            func ask(_ token: String?) async throws -> [String: Any] {
                let app = token == nil ? "readmigo" : nil
                return try await calls.ask(.get, "/paywall", token: token, app: app, language: "tr").object()
            }
            for paywall in [try await ask(nil), try await ask(token)] {
                let locked = try #require(paywall["locked"] as? [[String: Any]])
                #expect(locked.compactMap { $0["feature"] as? String } == ["books"])
                #expect(locked[0]["reason"] as? String == "tierRequired")
                #expect(locked[0]["requiredPlan"] as? String == "PRO")
                #expect(locked[0]["message"] as? String == "Kitaplar özelliği Pro üyelik gerektirir")
                let limits = try #require(locked[0]["limits"] as? [[String: Any]])
                #expect(limits.first?["limit"] as? Int == 10)
            }
            #expect(try await calls.ask(.post, "/usage/ai", token: token, body: "{\"quantity\":5}").status == .ok)
            let used = try await ask(token)
            let locked = try #require(used["locked"] as? [[String: Any]])
            #expect(locked.compactMap { $0["reason"] as? String } == ["limitReached", "tierRequired"])
            #expect(locked[0]["message"] as? String == "Ücretsiz kullanımda en fazla 5 soru sorabilirsiniz")
            #expect((locked[0]["limits"] as? [Any])?.isEmpty == true)
            #expect((used["customer"] as? [String: Any])?["planType"] as? String == "FREE")
            let buyer = try await ask(try await calls.buyer())
            #expect((buyer["locked"] as? [Any])?.isEmpty == true)
            #expect((buyer["customer"] as? [String: Any])?["planType"] as? String == "PRO")
        }
    }

    @Test("a bad token, no app, and what no parameter can be are refused")
    func refused() async throws {
        try await Self.run { calls in
            #expect(try await calls.ask(.get, "/paywall", token: "x", app: "readmigo").status == .unauthorized)
            for query in ["", "?app=", "?app=nothing", "?app=-9223372036854775808"] {
                let answer = try await calls.ask(.get, "/paywall\(query)")
                #expect(answer.status == .unprocessableContent, "\(query)")
                #expect(try answer.fields() == ["app"])
            }
            for value in ["", "1.5", "10000000000000000000", String(repeating: "A", count: 5_000)] {
                let answer = try await calls.ask(.get, "/paywall?currency=\(value)", app: "readmigo")
                #expect(try answer.fields() == ["currency"])
                let method = try await calls.ask(.get, "/paywall?paymentMethod=\(value)", app: "readmigo")
                #expect(try method.fields() == ["paymentMethod"])
            }
            #expect(try await calls.ask(.get, "/paywall?lang=tr", app: "readmigo").fields() == ["lang"])
        }
    }

    private static func run(_ body: @escaping @Sendable (CustomerCalls) async throws -> Void) async throws {
        try await CustomerCalls.run { calls in
            try await calls.site.pool.withConnection { try await $0.execute(script: copy) }
            try await body(calls)
        }
    }

    private static let copy = """
        INSERT INTO paywalls (app_id, title, headline, terms_url)
        VALUES ('\(TestSite.readmigo)', '{"en": "Readmigo Pro"}', '{"en": "Read more", "tr": "Sınırsız okuyun"}',
            'https://readmigo.example/terms');
        UPDATE plans SET benefits = '[{"en": "Unlimited", "tr": "Sınırsız", "icon": "infinity"}]', name = 'Pro'
        WHERE code = 'PRO' AND app_id = '\(TestSite.readmigo)';
        INSERT INTO features (id, app_id, code, name, names, limit_reached, position)
        VALUES ('00000000-0000-7000-8000-0000000000f1', '\(TestSite.readmigo)', 'ai', 'Questions', '{}',
                '{"tr": "Ücretsiz kullanımda en fazla {limit} soru sorabilirsiniz"}', 0),
            ('00000000-0000-7000-8000-0000000000f2', '\(TestSite.readmigo)', 'books', 'Books', '{"tr": "Kitaplar"}', '{}', 1);
        INSERT INTO plan_features (plan_id, feature_id, per_day, per_month, lifetime)
        VALUES ('00000000-0000-7000-8000-0000000000a0', '00000000-0000-7000-8000-0000000000f1', NULL, NULL, 5),
            ('00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-0000000000f1', NULL, NULL, NULL),
            ('00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-0000000000f2', 10, NULL, NULL);
        UPDATE products SET is_recommended = true WHERE id = '00000000-0000-7000-8000-0000000000b1';
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, period_count, period_unit, trial_count, trial_unit,
            created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000b3', '\(TestSite.readmigo)', '00000000-0000-7000-8000-0000000000a1', 'apple',
            'com.readmigo.pro.yearly', 'Pro yearly', 1, 'year', 7, 'day', now(), now());
        INSERT INTO product_prices (product_id, currency, minor_units)
        VALUES ('00000000-0000-7000-8000-0000000000b3', 'TRY', 39999);
        """
}
