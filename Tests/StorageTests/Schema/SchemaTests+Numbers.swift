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
    ]

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
