import Billing

extension SchemaTests {
    static let numbers = [
        Breach(
            "rollups",
            "measure_is_known",
            "\(cell) 'luck', 'production', now(), 0, '\(TestShop.app)', '', 'CNY', now(), 1, 1)"
        ),
        Breach(
            "rollups",
            "one_cell_per_key",
            """
            \(cell) 'charge', 'production', '2025-01-01', 0, '\(TestShop.app)', '', 'CNY', '2025-01-01', 1, 1);
            \(cell) 'charge', 'production', '2025-01-01', 0, '\(TestShop.app)', '', 'CNY', '2025-01-01', 2, 1)
            """
        ),
        Breach(
            "rollup_months",
            "months_begin_on_their_first_day",
            "\(month) 'charge', 'production', '2025-01-02', 0, '\(TestShop.app)', '', 'CNY', 1, 1, '2025-01-01')"
        ),
        Breach(
            "rollup_months",
            "months_begin_on_their_first_day",
            "\(month) 'charge', 'production', '2025-01-01', 0, '\(TestShop.app)', '', 'CNY', 1, 1, '2025-01-02')"
        ),
        Breach(
            "rollup_months",
            "one_month_per_key",
            """
            \(month) 'charge', 'production', '2025-01-01', 0, '\(TestShop.app)', '', 'CNY', 1, 1, '2025-01-01');
            \(month) 'charge', 'production', '2025-01-01', 0, '\(TestShop.app)', '', 'CNY', 2, 1, '2025-01-01')
            """
        ),
        Breach(
            "rollup_days",
            "one_day_per_key",
            """
            \(day) 'charge', 'production', '2025-01-01', 0, 'apple', 'CNY', 1, 1, '2025-01-01');
            \(day) 'charge', 'production', '2025-01-01', 0, 'apple', 'CNY', 2, 1, '2025-01-01')
            """
        ),
        Breach(
            "rollup_days",
            "recorded_months_begin_on_their_first_day",
            "\(day) 'charge', 'production', '2025-01-01', 0, 'apple', 'CNY', 1, 1, '2025-01-02')"
        ),
        Breach("rollup_corrections", "level_is_known", correction("year", of: nil)),
        Breach("rollup_corrections", "customers_have_their_own", correction("customer", of: nil)),
        Breach("rollup_corrections", "customers_have_their_own", correction("cell", of: TestShop.app)),
        Breach(
            "amounts_to_value",
            "a_span_of_amounts_has_a_day",
            "INSERT INTO amounts_to_value (app_id, first, last) SELECT id, '2026-01-02', '2026-01-01' FROM apps LIMIT 1"
        ),
        Breach(
            "months_to_convert",
            "a_month_waits_once",
            "INSERT INTO months_to_convert SELECT id, '2026-01-01' FROM apps, generate_series(1, 2)"
        ),
        Breach(
            "months_to_convert",
            "waiting_months_begin_on_their_first_day",
            "INSERT INTO months_to_convert SELECT id, '2026-01-02' FROM apps"
        ),
        Breach("exchange_rates", "currency_is_iso_4217", "INSERT INTO exchange_rates VALUES ('euro', now(), 1)"),
        Breach(
            "exchange_rates",
            "a_euro_costs_something",
            "INSERT INTO exchange_rates VALUES ('CNY', now(), 0)"
        ),
        Breach("exchange_rates", "a_rate_is_plausible", "INSERT INTO exchange_rates VALUES ('CNY', now(), 1e-7)"),
        Breach("exchange_rates", "a_rate_is_plausible", "INSERT INTO exchange_rates VALUES ('CNY', now(), 2e9)"),
        Breach("store_fees", "store_has_a_name", "INSERT INTO store_fees VALUES ('\(TestShop.app)', 'Steam', 1, 1)"),
        Breach(
            "store_fees",
            "fees_are_parts_of_the_whole",
            "INSERT INTO store_fees VALUES ('\(TestShop.app)', 'apple', 10001, 1)"
        ),
        Breach(
            "store_fees",
            "both_years_have_a_share",
            "INSERT INTO store_fees VALUES ('\(TestShop.app)', 'apple', 1, NULL)"
        ),
        Breach("store_terms", "store_has_a_name", terms("'Steam', 'CHN', now(), 100, 1, 1")),
        Breach("store_terms", "storefront_is_iso_3166", terms("'apple', 'cn', now(), 100, 1, 1")),
        Breach("store_terms", "numbers_are_not_those_of_the_product", terms("'apple', 'CHN', now(), 99, 1, 1")),
        Breach("store_terms", "terms_are_parts_of_the_whole", terms("'apple', 'CHN', now(), 100, 1, 10001")),
        Breach(
            "store_terms",
            "one_row_per_storefront_and_date",
            "\(terms("'apple', 'CHN', now(), 100, 1, 1")); \(terms("'apple', 'CHN', now(), 101, 1, 1"))"
        ),
        Breach(
            "store_terms",
            "one_row_per_number",
            "\(terms("'apple', 'CHN', now(), 100, 1, 1")); \(terms("'apple', 'JPN', now(), 100, 1, 1"))"
        ),
        Breach("orders", "paid_days_are_counted_from_zero", "UPDATE orders SET paid_days = -1"),
        Breach(
            "paid_year_changes",
            "a_year_is_the_first_or_later",
            """
            INSERT INTO paid_year_changes (app_id, order_id, year_before, year_after, recorded_at)
            SELECT app_id, id, 1, 1, now() FROM orders
            """
        ),
    ]

    private static func terms(_ values: String) -> String {
        "INSERT INTO store_terms VALUES ('\(TestShop.app)', \(values))"
    }

    private static let cell = """
        INSERT INTO rollups (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
        VALUES ('\(TestShop.app)',
        """
    private static let month = "INSERT INTO rollup_months VALUES ('\(TestShop.app)',"
    private static let day = "INSERT INTO rollup_days VALUES ('\(TestShop.app)',"

    private static func correction(_ level: String, of customer: App.ID?) -> String {
        """
        INSERT INTO rollup_corrections
            (app_id, level, measure, environment, day, dimension, country, store, currency, recorded_on, customer_id, effective_at, amount,
             count)
        VALUES ('\(TestShop.app)', '\(level)', 'charge', 'production', '2025-01-01', 0, '', '', 'CNY', '2025-01-01',
            \(customer.map { "'\($0)'" } ?? "NULL"), '-infinity', 1, 1)
        """
    }
}
