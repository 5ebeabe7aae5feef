extension SchemaTests {
    static let promoCodes = [
        batch("name_has_1_to_100_characters", ["name": "''"]),
        batch("name_has_1_to_100_characters", ["name": "repeat('x', 101)"]),
        batch("channel_has_1_to_50_characters", ["channel": "''"]),
        batch("channel_has_1_to_50_characters", ["channel": "repeat('x', 51)"]),
        batch("days_are_from_1_to_3650", ["days": "0"]),
        batch("days_are_from_1_to_3650", ["days": "3651"]),
        batch("codes_are_from_1_to_100000", ["code_count": "0"]),
        batch("codes_are_from_1_to_100000", ["code_count": "100001"]),
        batch("uses_are_from_1_to_1000000", ["uses_per_code": "0"]),
        batch("uses_per_customer_are_from_1_to_100", ["uses_per_customer": "101"]),
        batch("a_batch_expires_after_it_starts", ["starts_at": "now()", "expires_at": "now()"]),
        batch("a_stop_says_who", ["stopped_at": "now()"]),
        batch("a_stop_says_who", ["stopped_as": "'eve'"]),
        Breach(
            "promo_codes",
            "one_promo_code_per_hash",
            "\(insertion()); \(code(hash: "sha256('c')")); \(code(number: "2", hash: "sha256('c')"))"
        ),
        Breach("promo_codes", "code_is_kept_as_a_hash", "\(insertion()); \(code(hash: "'secret'"))"),
        Breach("promo_codes", "codes_count_from_one", "\(insertion()); \(code(number: "0"))"),
        Breach("promo_codes", "a_code_is_redeemed_no_more_than_it_can_be", "\(insertion()); \(code(uses: "6"))"),
        redemption("a_use_of_a_code_is_made_once", ["customer_id": customer("bob"), "grant_id": grant(2)]),
        redemption(
            "a_customer_redeems_a_code_once",
            ["use_number": "2", "customer_number": "2", "grant_id": grant(2)]
        ),
        redemption(
            "a_use_of_a_customer_is_made_once",
            ["code_number": "2", "grant_id": grant(2)]
        ),
        redemption(
            "a_grant_is_of_one_redemption",
            ["use_number": "2", "customer_id": customer("bob")]
        ),
        redemption("uses_count_from_one", ["use_number": "0", "customer_id": customer("bob"), "grant_id": grant(2)]),
    ]

    private static let batchID = "'00000000-0000-7000-8000-0000000000d1'"

    private static func batch(_ constraint: String, _ changed: [String: String]) -> Breach {
        Breach("promo_batches", constraint, insertion(changed))
    }

    /// Inserts a batch with some values changed.
    private static func insertion(_ changed: [String: String] = [:]) -> String {
        let columns = [
            "name": "'Fair'", "channel": "'fair'", "days": "30", "code_count": "2", "uses_per_code": "5",
            "uses_per_customer": "2", "starts_at": "NULL", "expires_at": "NULL", "stopped_at": "NULL",
            "stopped_as": "NULL",
        ]
        .merging(changed) { $1 }.sorted { $0.key < $1.key }
        return """
            INSERT INTO promo_batches (id, app_id, plan_id, created_as, created_at, \(columns.map(\.key).joined(separator: ", ")))
            SELECT \(batchID), app_id, id, 'eve', now(), \(columns.map(\.value).joined(separator: ", "))
            FROM plans
            WHERE app_id = '\(TestShop.app)' AND code = 'PRO'
            """
    }

    private static func code(
        number: String = "1",
        hash: String = "sha256(gen_random_uuid()::text::bytea)",
        uses: String = "0"
    ) -> String {
        """
        INSERT INTO promo_codes (batch_id, number, code_hash, uses, max_uses)
        VALUES (\(batchID), \(number), \(hash), \(uses), 5)
        """
    }

    private static func customer(_ key: String) -> String {
        "(SELECT id FROM customers WHERE app_id = '\(TestShop.app)' AND key = '\(key)')"
    }

    private static func grant(_ number: Int) -> String { "'00000000-0000-7000-8000-0000000000e\(number)'" }

    /// Inserts a redemption, and one more with some values changed.
    private static func redemption(_ constraint: String, _ changed: [String: String]) -> Breach {
        func one(_ changed: [String: String]) -> String {
            let columns = [
                "code_number": "1", "use_number": "1", "customer_id": customer("ada"), "customer_number": "1",
                "grant_id": grant(1),
            ]
            .merging(changed) { $1 }.sorted { $0.key < $1.key }
            return """
                INSERT INTO promo_redemptions (id, batch_id, redeemed_at, \(columns.map(\.key).joined(separator: ", ")))
                VALUES (gen_random_uuid(), \(batchID), now(), \(columns.map(\.value).joined(separator: ", ")))
                """
        }
        let grants = [1, 2].map { number in
            """
            INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, created_at, updated_at)
            SELECT \(grant(number)), app_id, \(customer("ada")), id, 'complimentary', now(), now(), now()
            FROM plans
            WHERE app_id = '\(TestShop.app)' AND code = 'PRO'
            """
        }
        let statements =
            [
                insertion(), code(), code(number: "2"),
                """
                INSERT INTO customers (id, app_id, key, created_at)
                VALUES (gen_random_uuid(), '\(TestShop.app)', 'bob', now())
                """,
            ] + grants + [one([:]), one(changed)]
        return Breach("promo_redemptions", constraint, statements.joined(separator: "; "))
    }
}
