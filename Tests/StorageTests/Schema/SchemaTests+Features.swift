import Postgres
import Testing

extension SchemaTests {
    static let features = [
        Breach("features", "one_feature_per_code", "\(feature()); \(feature())"),
        Breach("features", "code_is_lower_case_with_hyphens", feature(code: "'AI'")),
        Breach("features", "code_is_lower_case_with_hyphens", feature(code: "''")),
        Breach("features", "code_is_lower_case_with_hyphens", feature(code: "'a--b'")),
        Breach("features", "code_is_lower_case_with_hyphens", feature(code: "E'ai\\n'")),
        Breach("features", "code_is_lower_case_with_hyphens", feature(code: "repeat('a', 65)")),
        Breach("features", "names_are_an_object", feature(names: "'[]'")),
        Breach("features", "limit_reached_is_an_object", "\(feature()); UPDATE features SET limit_reached = '[]'"),
        Breach("paywalls", "texts_are_objects", paywall("'[]', '{}', '{}', NULL, NULL")),
        Breach("paywalls", "texts_are_objects", paywall("'{}', '[]', '{}', NULL, NULL")),
        Breach("paywalls", "texts_are_objects", paywall("'{}', '{}', '\"Buy\"', NULL, NULL")),
        Breach("paywalls", "addresses_are_https", paywall("'{}', '{}', '{}', 'http://a.example', NULL")),
        Breach("paywalls", "addresses_are_https", paywall("'{}', '{}', '{}', NULL, 'javascript:alert(1)'")),
        Breach("plan_features", "limits_are_at_least_one", limits("0, NULL, NULL")),
        Breach("plan_features", "limits_are_at_least_one", limits("NULL, -1, NULL")),
        Breach("plan_features", "limits_are_at_least_one", limits("5, NULL, 0")),
        Breach("plans", "names_are_an_object", "UPDATE plans SET names = '[]'"),
        Breach("plans", "benefits_are_a_list", "UPDATE plans SET benefits = '{}'"),
        Breach("products", "names_are_an_object", "UPDATE products SET names = '\"Pro\"'"),
    ]

    @Test("of an app a store recommends one product")
    func recommended() async throws {
        try await TestShop.run { pool, _ in
            try await pool.withConnection { try await $0.execute(script: TestShop.books) }
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("UPDATE products SET is_recommended = true WHERE store = 'apple'")
            }
            #expect(error?.constraint == "one_recommended_product_per_store")
            _ = try await pool.query("UPDATE products SET is_recommended = true WHERE store_product_id = 'pro'")
        }
    }

    /// A feature in which one thing is wrong.
    private static func feature(code: String = "'ai'", names: String = "'{}'") -> String {
        """
        INSERT INTO features (id, app_id, code, name, names, position)
        VALUES (gen_random_uuid(), '\(TestShop.app)', \(code), 'AI', \(names), 0)
        """
    }

    /// The paywall of the shop with these texts and addresses.
    private static func paywall(_ values: String) -> String {
        """
        INSERT INTO paywalls (app_id, title, headline, subscribe, terms_url, privacy_url)
        VALUES ('\(TestShop.app)', \(values))
        """
    }

    /// A feature of all plans with these limits: by day, by month, for ever.
    private static func limits(_ values: String) -> String {
        """
        \(feature());
        INSERT INTO plan_features (plan_id, feature_id, per_day, per_month, lifetime)
        SELECT p.id, f.id, \(values) FROM plans p, features f
        """
    }
}
