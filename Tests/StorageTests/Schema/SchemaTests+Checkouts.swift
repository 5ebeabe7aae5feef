extension SchemaTests {
    static let checkouts = [
        checkout("number_is_one_that_stores_take", ["number": "'ABC-12345'"]),
        checkout("number_is_one_that_stores_take", ["number": "'ABC12'"]),
        checkout("store_has_a_name", ["store": "'A Shop'"]),
        checkout("method_has_a_name", ["method": "'By hand'"]),
        checkout("environment_is_known", ["environment": "'xcode'"]),
        checkout("state_is_known", ["state": "'lost'"]),
        checkout("close_reason_is_known", ["state": "'closing'", "close_reason": "'bored'"]),
        checkout("basis_is_a_sha_256", ["basis": "'short'"]),
        checkout("payer_is_kept_as_a_hash", ["payer_hash": "'o-openid'"]),
        checkout("something_is_paid", ["price": "500", "amount": "0", "credit": "500"]),
        checkout("amount_is_the_price_less_the_credit", ["credit": "1"]),
        checkout("amount_is_the_price_less_the_credit", ["credit": "-100", "price": "900"]),
        checkout("currency_is_iso_4217", ["currency": "'yuan'"]),
        checkout("period_ends_after_it_starts", ["ends_at": "now()"]),
        checkout("it_expires_after_it_was_opened", ["expires_at": "now()"]),
        checkout("description_has_1_to_127_characters", ["description": "''"]),
        checkout("description_has_1_to_127_characters", ["description": "repeat('x', 128)"]),
        checkout("what_is_open_can_be_paid", ["state": "'open'"]),
        checkout("what_is_closed_says_why", ["state": "'closing'"]),
        checkout("what_is_closed_says_why", ["close_reason": "'expired'"]),
        checkout("what_is_closed_says_when", ["state": "'closed'", "close_reason": "'expired'"]),
        checkout("what_is_paid_says_when", ["state": "'paid'"]),
        checkout("what_is_paid_says_when", ["paid_at": "now()", "transaction_id": "'42'", "settled_at": "now()"]),
        checkout("return_url_is_a_page", ["return_url": "'javascript:alert(1)'"]),
        checkout("return_url_is_a_page", ["return_url": "'https://' || repeat('x', 248)"]),
        checkout("it_sells_a_period", ["period_count": "0"]),
        checkout("it_sells_a_period", ["period_unit": "'moon'"]),
        credit("something_is_credited", "min(id::text)::uuid, max(id::text)::uuid, 0, 0"),
        credit("no_more_is_released_than_was_credited", "min(id::text)::uuid, max(id::text)::uuid, 100, 101"),
        credit("no_more_is_released_than_was_credited", "min(id::text)::uuid, max(id::text)::uuid, 100, -1"),
        credit("no_period_pays_for_itself", "min(id::text)::uuid, min(id::text)::uuid, 100, 0"),
        checkout("notification_url_is_an_address", ["notification_url": "'shop.example.com'"]),
        checkout("notification_url_is_an_address", ["notification_url": "'https://' || repeat('x', 248)"]),
        checkout("client_address_is_short", ["client_address": "''"]),
        checkout(
            "an_address_is_kept_while_the_order_can_be_paid",
            ["client_address": "'203.0.113.7'", "state": "'closing'", "close_reason": "'expired'"]
        ),
        checkout("what_ends_is_there", ["link_ends_at": "now()"]),
        checkout("payer_mask_hides_most", paid.merging(["payer_mask": "'o-openid'"]) { $1 }),
        checkout("payer_mask_hides_most", paid.merging(["payer_mask": "'o-openid…'"]) { $1 }),
        checkout("bank_is_short", paid.merging(["bank": "repeat('x', 501)"]) { $1 }),
        checkout("only_a_payment_has_a_bank", ["bank": "'OTHERS'"]),
        checkout("only_a_payment_is_given_back", ["has_unknown_refund": "true"]),
        checkout("a_problem_is_seen_to", ["problem_seen_at": "now()"]),
        Breach(
            "checkouts",
            "one_checkout_per_number",
            "\(insertion()); \(insertion(["state": "'closing'", "close_reason": "'replaced'"]))"
        ),
        Breach(
            "checkouts",
            "one_checkout_per_payment",
            "\(insertion(paid)); \(insertion(paid.merging(["number": "'OTHER12345'"]) { $1 }))"
        ),
        Breach(
            "checkouts",
            "one_open_checkout_per_method",
            "\(insertion()); \(insertion(["number": "'OTHER12345'"]))"
        ),
    ]

    private static let paid = [
        "state": "'paid'", "paid_at": "now()", "transaction_id": "'42'", "settled_at": "now()",
    ]

    private static func checkout(_ rule: String, _ changed: [String: String]) -> Breach {
        Breach("checkouts", rule, insertion(changed))
    }

    private static func credit(_ rule: String, _ values: String) -> Breach {
        Breach(
            "period_credits",
            rule,
            "INSERT INTO period_credits (upgrade_id, order_id, amount, released, recorded_at) SELECT \(values), now() FROM orders"
        )
    }

    /// Inserts a checkout with some values changed.
    private static func insertion(_ changed: [String: String] = [:]) -> String {
        let columns = [
            "store": "'wechat'", "environment": "'production'", "method": "'wechat_native'", "number": "'NUMBER1234'",
            "description": "'Pro'", "basis": "sha256('basis')", "price": "1000", "credit": "0", "amount": "1000",
            "currency": "'CNY'", "ends_at": "now() + interval '1 month'", "state": "'opening'",
            "close_reason": "NULL", "expires_at": "now() + interval '15 minutes'", "transaction_id": "NULL",
            "paid_at": "NULL", "payer_hash": "NULL", "settled_at": "NULL", "return_url": "NULL",
            "plan_code": "'PRO'", "period_count": "1", "period_unit": "'month'",
            "notification_url": "NULL", "client_address": "NULL", "payer_mask": "NULL", "bank": "NULL",
            "has_unknown_refund": "false", "problem_seen_at": "NULL",
            "link_ends_at": "NULL",
        ]
        .merging(changed) { $1 }.sorted { $0.key < $1.key }
        return """
            INSERT INTO checkouts
                (id, app_id, customer_id, product_id, starts_at, created_at, \(columns.map(\.key).joined(separator: ", ")))
            SELECT gen_random_uuid(), '\(TestShop.app)', (SELECT min(id::text)::uuid FROM customers),
                (SELECT min(id::text)::uuid FROM products), now(), now(), \(columns.map(\.value).joined(separator: ", "))
            """
    }
}
