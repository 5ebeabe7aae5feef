extension SchemaTests {
    static let periods = [
        Breach("access_periods", "a_period_is_not_empty", period(ends: "period_starts_at")),
        Breach("access_periods", "price_has_a_currency", period(currency: "NULL")),
        Breach("access_periods", "period_is_whole", period(length: "1, NULL")),
        Breach("subscriber_entries", "an_entry_says_something", entry("0, 0")),
        Breach("subscriber_entries", "one_entry_per_customer_and_cell", "\(entry("1800, 0")); \(entry("1, 0"))"),
        Breach("access_periods", "what_ends_a_period_is_known", period(ended: "'boredom'")),
        Breach("access_changes", "cause_is_known", change(cause: "mood")),
        Breach("access_changes", "a_change_changes_something", change(after: "NULL")),
        Breach("access_changes", "a_change_comes_from_one_thing", change(source: "NULL")),
    ]

    /// A customer's part of monthly recurring revenue.
    private static func entry(_ amountAndCount: String) -> String {
        """
        INSERT INTO subscriber_entries
            (app_id, measure, customer_id, day, dimension, product_id, country, currency, recorded_on, effective_at, amount, count)
        SELECT app_id, 'mrr', customer_id, '2025-01-01', 0, product_id, 'CHN', 'CNY', '2025-01-01', '2025-01-01',
            \(amountAndCount)
        FROM subscriptions
        """
    }

    /// A period of access in which one thing is wrong.
    private static func period(
        ends: String = "period_ends_at",
        currency: String = "'CNY'",
        length: String = "1, 'month'",
        ended: String = "NULL"
    ) -> String {
        """
        INSERT INTO access_periods
            (id, app_id, customer_id, subscription_id, transaction_id, product_id, plan_rank, period_count, period_unit,
             starts_at, ends_at, is_trial, is_family_shared, price, currency, country, environment, ended_by, recorded_at)
        SELECT gen_random_uuid(), app_id, customer_id, id, 't1', product_id, 1, \(length), period_starts_at, \(ends), false,
            false, 1800, \(currency), 'CHN', environment, \(ended), now()
        FROM subscriptions
        """
    }

    /// A change of a customer's access in which one thing is wrong.
    private static func change(cause: String = "bought", after: String = "product_id", source: String = "id") -> String
    {
        """
        INSERT INTO access_changes (id, app_id, customer_id, at, after_id, cause, country, currency, subscription_id, recorded_at)
        SELECT gen_random_uuid(), app_id, customer_id, now(), \(after), '\(cause)', 'CHN', 'CNY', \(source), now()
        FROM subscriptions
        """
    }
}
