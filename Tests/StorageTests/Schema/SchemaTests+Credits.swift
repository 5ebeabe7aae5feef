extension SchemaTests {
    static let credits = [
        Breach("product_credits", "credits_are_possible", productCredits("0")),
        Breach("product_credits", "credits_are_possible", productCredits("1000000001")),
        Breach("credit_buckets", "something_is_granted", bucket(granted: "0", remaining: "0")),
        Breach("credit_buckets", "no_more_is_taken_than_was_granted", bucket(taken: "11", remaining: "-1")),
        Breach("credit_buckets", "no_more_remains_than_was_left", bucket(remaining: "-1")),
        Breach("credit_buckets", "no_more_remains_than_was_left", bucket(taken: "4", remaining: "7")),
        Breach("credit_buckets", "no_more_is_owed_than_was_taken", bucket(owed: "1")),
        Breach("credit_buckets", "no_more_is_owed_than_was_taken", bucket(owed: "-1")),
        Breach("credit_buckets", "credits_expire_after_they_start", bucket(expiresAt: "now() - interval '1 second'")),
        Breach("credit_buckets", "one_bucket_per_order_and_feature", "\(bucket()); \(insertion())"),
    ]

    private static let feature = """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT \(featureID), id, 'credits', 'Credits', '{}', 1000
        FROM apps
        WHERE slug = 'shop'
        """

    private static func productCredits(_ amount: String) -> String {
        """
        \(feature);
        INSERT INTO product_credits (product_id, feature_id, amount)
        SELECT id, \(featureID), \(amount) FROM products WHERE store_product_id = 'pro'
        """
    }

    /// Ten credits of an order in which one thing is wrong.
    private static func bucket(
        granted: String = "10",
        taken: String = "0",
        remaining: String = "5",
        owed: String = "0",
        expiresAt: String = "NULL"
    ) -> String {
        """
        \(feature);
        INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
        SELECT id, \(featureID), '2026-03-31', 0, '2026-03-01', 0, 0
        FROM customers
        WHERE key = 'ada';
        \(insertion(granted, taken, remaining, owed, expiresAt))
        """
    }

    private static func insertion(
        _ granted: String = "10",
        _ taken: String = "0",
        _ remaining: String = "5",
        _ owed: String = "0",
        _ expiresAt: String = "NULL"
    ) -> String {
        """
        INSERT INTO credit_buckets
            (order_id, feature_id, customer_id, is_sandbox, granted, taken, remaining, owed, starts_at, expires_at)
        SELECT id, \(featureID), customer_id, false, \(granted), \(taken), \(remaining), \(owed), now(), \(expiresAt)
        FROM orders
        WHERE number = 'o1'
        """
    }

    private static let featureID = "'00000000-0000-7000-8000-0000000000f8'"
}
