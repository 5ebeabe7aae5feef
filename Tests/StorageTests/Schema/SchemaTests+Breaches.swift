extension SchemaTests {
    /// A statement that breaks one rule.
    struct Breach {
        var table: String
        var rule: String
        var sql: String
        /// The name in the error, which may not be the rule's own.
        var raised: String

        init(_ table: String, _ rule: String, _ sql: String, raised: String? = nil) {
            self.table = table
            self.rule = rule
            self.sql = sql
            self.raised = raised ?? rule
        }
    }

    static let breaches =
        catalog + lives + books + inbox + people + actions + refunds + chain + access
        + grants + bulk + notes + numbers + periods + reports + jobs + health + installation + reconciliations
        + purchases + stores
        + extensions + answers + renewalExtensions + customerSessions + signIns + appKeys + features + usage
        + promoCodes + seats + checkouts + payouts + bills + credits

    private static let catalog = [
        Breach(
            "apps",
            "sandbox_access_is_for_testers_or_everybody",
            "UPDATE apps SET sandbox_access = 'friends'"
        ),
        Breach("apps", "one_app_per_slug", "UPDATE apps SET slug = 'shop'"),
        Breach("apps", "slug_is_lower_case_with_hyphens", "UPDATE apps SET slug = 'Shop' WHERE slug = 'shop'"),
        Breach("apps", "slug_is_lower_case_with_hyphens", "UPDATE apps SET slug = 'a--b' WHERE slug = 'shop'"),
        Breach("apps", "currency_is_iso_4217", "UPDATE apps SET reporting_currency = 'yuan'"),
        Breach("apps", "trial_conversion_days_are_plausible", "UPDATE apps SET trial_conversion_days = 366"),
        Breach("store_accounts", "one_app_per_account", "UPDATE store_accounts SET identifier = 'test.shop'"),
        Breach("store_accounts", "store_has_a_name", "UPDATE store_accounts SET store = 'A Store'"),
        Breach("store_accounts", "environment_is_store_or_simulator", "UPDATE store_accounts SET environment = 'both'"),
        Breach("store_accounts", "settings_are_an_object", "UPDATE store_accounts SET settings = '[]'"),
        Breach("store_anchors", "fingerprint_is_of_the_certificate", "UPDATE store_anchors SET der = '\\x02'"),
        Breach("store_anchors", "an_anchor_is_of_an_account", "UPDATE store_anchors SET store = 'google'"),
        Breach("plans", "one_plan_per_code", "UPDATE plans SET code = 'PRO'"),
        Breach("plans", "one_plan_per_rank", "UPDATE plans SET rank = 1"),
        Breach("plans", "rank_is_not_negative", "UPDATE plans SET rank = -1 WHERE code = 'PRO'"),
        Breach("products", "one_product_per_store_product", "UPDATE products SET store_product_id = 'pro'"),
        Breach("products", "store_has_a_name", "UPDATE products SET store = 'Steam'"),
        Breach("products", "period_is_whole", "UPDATE products SET period_unit = NULL"),
        Breach("products", "trial_is_whole", "UPDATE products SET trial_count = NULL"),
        Breach("products", "period_is_at_least_one", "UPDATE products SET period_count = 0 WHERE period_count = 1"),
        Breach("products", "trial_is_at_least_one", "UPDATE products SET trial_count = 0 WHERE trial_count = 7"),
        Breach("products", "period_unit_is_known", "UPDATE products SET period_unit = 'eon' WHERE period_count = 1"),
        Breach("products", "trial_unit_is_known", "UPDATE products SET trial_unit = 'eon' WHERE trial_count = 7"),
        Breach(
            "products",
            "a_consumable_lasts_for_no_time",
            "UPDATE products SET is_consumable = true WHERE period_count = 1"
        ),
        Breach("product_prices", "price_is_not_negative", "UPDATE product_prices SET minor_units = -1"),
        Breach("product_prices", "price_currency_is_iso_4217", "UPDATE product_prices SET currency = 'cny'"),
    ]

    private static let actions = [
        Breach("idempotency_keys", "fingerprint_is_a_sha_256", "UPDATE idempotency_keys SET fingerprint = '\\x00'"),
        Breach("idempotency_keys", "key_has_at_most_255_characters", "UPDATE idempotency_keys SET key = ''"),
    ]

    private static let lives = [
        Breach("customers", "one_customer_per_key", "UPDATE customers SET key = 'ada'"),
        Breach("customers", "one_customer_per_external_id", "UPDATE customers SET external_id = 'a'"),
        Breach(
            "subscriptions",
            "one_subscription_per_chain",
            "UPDATE subscriptions SET original_transaction_id = 't1'"
        ),
        Breach("subscriptions", "store_has_a_name", "UPDATE subscriptions SET store = 'Steam'"),
        Breach("subscriptions", "environment_is_known", "UPDATE subscriptions SET environment = 'xcode'"),
        Breach(
            "subscriptions",
            "only_commitments_have_periods",
            "UPDATE subscriptions SET is_committed = false, commitment_period = 1"
        ),
        Breach(
            "subscriptions",
            "only_commitments_have_a_price",
            "UPDATE subscriptions SET is_committed = false, commitment_price = 1, commitment_currency = 'CNY'"
        ),
        Breach(
            "subscriptions",
            "commitment_price_has_a_currency",
            "UPDATE subscriptions SET commitment_currency = 'CNY'"
        ),
        Breach(
            "subscriptions",
            "renewal_offer_kind_is_known",
            "UPDATE subscriptions SET renewal_offer_kind = 'barter'"
        ),
        Breach(
            "subscriptions",
            "renewal_offer_discount_is_known",
            "UPDATE subscriptions SET renewal_offer_discount = 'half'"
        ),
        Breach("subscriptions", "price_consent_is_known", "UPDATE subscriptions SET price_consent = 'perhaps'"),
        Breach("subscriptions", "unanswered_checks_have_a_moment", "UPDATE subscriptions SET unanswered_checks = 1"),
        Breach("subscriptions", "state_is_known", "UPDATE subscriptions SET state = 'happy'"),
        Breach(
            "subscriptions",
            "period_ends_after_it_starts",
            "UPDATE subscriptions SET period_ends_at = period_starts_at"
        ),
        Breach("subscriptions", "renewal_price_has_a_currency", "UPDATE subscriptions SET renewal_currency = NULL"),
        Breach("subscription_events", "one_row_per_event", "UPDATE subscription_events SET event_id = 'n1'"),
        Breach(
            "subscription_events",
            "source_is_known",
            "UPDATE subscription_events SET source = 'rumour', notification_id = NULL"
        ),
        Breach(
            "subscription_events",
            "a_notification_is_named_where_it_is_the_source",
            "UPDATE subscription_events SET notification_id = NULL"
        ),
        Breach(
            "subscription_events",
            "an_event_came_in_a_notification",
            "UPDATE subscription_events SET notification_id = gen_random_uuid()"
        ),
    ]

    private static let books = [
        Breach("orders", "one_order_per_number", "UPDATE orders SET number = 'o1'"),
        Breach("orders", "one_order_per_store_transaction", "UPDATE orders SET transaction_id = 'o1'"),
        Breach(
            "orders",
            "an_amount_has_a_currency",
            "UPDATE orders SET amount = NULL, status = 'pending', refunded = 0"
        ),
        Breach(
            "orders",
            "nothing_is_known_of_money_without_an_amount",
            "UPDATE orders SET amount = NULL, currency = NULL, status = 'completed', refunded = 0"
        ),
        Breach("orders", "quantity_is_above_zero", "UPDATE orders SET quantity = 0"),
        Breach("orders", "offer_kind_is_known", "UPDATE orders SET offer_kind = 'gift'"),
        Breach("orders", "amount_is_not_negative", "UPDATE orders SET amount = -1, refunded = 0 WHERE number = 'o2'"),
        Breach(
            "orders",
            "each_payer_gives_the_charge_back_once",
            "UPDATE orders SET refunded = 3601 WHERE number = 'o1'"
        ),
        Breach(
            "orders",
            "each_payer_gives_the_charge_back_once",
            "UPDATE orders SET refunded = -1 WHERE number = 'o1'"
        ),
        Breach("orders", "currency_is_iso_4217", "UPDATE orders SET currency = '¥¥¥'"),
        Breach("orders", "store_has_a_name", "UPDATE orders SET store = 'Steam'"),
        Breach("orders", "environment_is_known", "UPDATE orders SET environment = 'xcode'"),
        Breach("orders", "kind_is_a_charge", "UPDATE orders SET kind = 'refund'"),
        Breach("orders", "status_is_known", "UPDATE orders SET status = 'odd', refunded = 0"),
        Breach(
            "orders",
            "status_tells_what_was_refunded",
            "UPDATE orders SET status = 'completed' WHERE number = 'o1'"
        ),
        Breach("orders", "status_tells_what_was_refunded", "UPDATE orders SET status = 'refunded' WHERE number = 'o1'"),
        Breach(
            "orders",
            "status_tells_what_was_refunded",
            "UPDATE orders SET status = 'superseded', superseded_at = now(), refunded = amount WHERE number = 'o1'"
        ),
        Breach(
            "orders",
            "credited_is_never_above_what_is_left",
            "UPDATE orders SET superseded_at = now(), credited = amount - refunded + 1 WHERE number = 'o1'"
        ),
        Breach("orders", "what_is_superseded_says_when", "UPDATE orders SET status = 'superseded' WHERE number = 'o1'"),
        Breach("orders", "what_is_superseded_says_when", "UPDATE orders SET credited = 1 WHERE number = 'o1'"),
        Breach(
            "orders",
            "an_order_balances_with_its_ledger",
            "UPDATE orders SET superseded_at = now(), credited = 1 WHERE number = 'o1'"
        ),
        Breach("orders", "period_ends_after_it_starts", "UPDATE orders SET period_ends_at = period_starts_at"),
        Breach(
            "orders",
            "an_order_balances_with_its_ledger",
            "UPDATE orders SET status = 'completed', refunded = 0 WHERE number = 'o1'"
        ),
        Breach("orders", "an_order_balances_with_its_ledger", "UPDATE orders SET amount = 1700 WHERE number = 'o2'"),
        Breach(
            "orders",
            "an_order_balances_with_its_ledger",
            """
            INSERT INTO orders (id, app_id, customer_id, product_id, number, kind, status, store, environment,
                transaction_id, original_transaction_id, product_name, plan_code, amount, currency, purchased_at,
                period_starts_at, created_at, updated_at)
            SELECT gen_random_uuid(), app_id, customer_id, product_id, 'o3', kind, status, store, environment, 'o3',
                'o3', product_name, plan_code, amount, currency, purchased_at, period_starts_at, now(), now()
            FROM orders WHERE number = 'o2'
            """
        ),
        Breach(
            "ledger_entries",
            "a_ledger_entry_balances_with_its_order",
            entry(-100, "refund:9"),
            raised: "an_order_balances_with_its_ledger"
        ),
        Breach(
            "ledger_entries",
            "entries_are_in_the_order_s_currency",
            entry(0, "charge:2", kind: "initial_purchase", currency: "EUR")
        ),
        Breach("ledger_entries", "one_entry_per_fact", entry(-1, "refund:1")),
        Breach("ledger_entries", "kind_is_known", entry(1, "x", kind: "gift")),
        Breach("ledger_entries", "status_is_known", entry(-1, "x", status: "odd")),
        Breach("ledger_entries", "refunds_are_negative_and_charges_are_not", entry(1, "x")),
        Breach("ledger_entries", "refunds_are_negative_and_charges_are_not", entry(-1, "x", kind: "renewal")),
        Breach("ledger_entries", "refunds_are_negative_and_charges_are_not", entry(-1, "x", kind: "refund_reversal")),
        Breach("ledger_entries", "refunds_are_negative_and_charges_are_not", entry(1, "x", kind: "upgrade_credit")),
        Breach(
            "ledger_entries",
            "refunds_are_negative_and_charges_are_not",
            entry(-1, "x", kind: "upgrade_credit_reversal")
        ),
        Breach("ledger_entries", "payer_is_known", entry(-1, "x", payer: "nobody")),
        Breach("ledger_entries", "charges_are_paid_at_the_store", entry(1, "x", kind: "renewal", payer: "elsewhere")),
        Breach("ledger_entries", "an_entry_came_in_a_notification", entry(0, "x", notification: "gen_random_uuid()")),
        Breach("ledger_entries", "ledger_rows_are_never_changed", "UPDATE ledger_entries SET amount = amount"),
        Breach(
            "ledger_entries",
            "ledger_rows_are_never_changed",
            "UPDATE ledger_entries SET kind = 'upgrade', amount = amount + 1 WHERE kind = 'initial_purchase'"
        ),
        Breach(
            "ledger_entries",
            "ledger_rows_are_never_changed",
            "UPDATE ledger_entries SET kind = 'refund' WHERE kind = 'initial_purchase'"
        ),
        Breach("ledger_entries", "ledger_rows_are_never_changed", "DELETE FROM ledger_entries"),
        Breach("ledger_entries", "the_ledger_is_never_emptied", "TRUNCATE ledger_entries"),
        Breach("ledger_entries", "the_ledger_is_never_emptied", "TRUNCATE orders CASCADE"),
    ]

    private static let inbox = [
        Breach(
            "store_notifications",
            "one_row_per_notification",
            "UPDATE store_notifications SET notification_uuid = 'n1'"
        ),
        Breach("store_notifications", "snoozes_are_attempts", "UPDATE store_notifications SET snoozes = attempt + 1"),
        Breach(
            "store_notifications",
            "what_needs_resolving_has_no_event",
            "UPDATE store_notifications SET event = '{}', needs_resolving = true"
        ),
        Breach(
            "store_notifications",
            "other_events_stand_beside_one",
            "UPDATE store_notifications SET event = NULL, other_events = '[{}]'"
        ),
        Breach(
            "store_notifications",
            "other_events_stand_beside_one",
            "UPDATE store_notifications SET event = '{}', other_events = '{}'"
        ),
        Breach("store_notifications", "store_has_a_name", "UPDATE store_notifications SET store = 'Steam'"),
        Breach("store_notifications", "environment_is_known", "UPDATE store_notifications SET environment = 'xcode'"),
        Breach(
            "store_notifications",
            "state_is_known",
            "UPDATE store_notifications SET state = 'lost', finalized_at = NULL"
        ),
        Breach(
            "store_notifications",
            "a_lease_has_an_owner_and_an_end",
            "UPDATE store_notifications SET state = 'processing', finalized_at = NULL"
        ),
        Breach(
            "store_notifications",
            "a_lease_has_an_owner_and_an_end",
            "UPDATE store_notifications SET attempted_by = gen_random_uuid()"
        ),
        Breach(
            "store_notifications",
            "a_lease_has_an_owner_and_an_end",
            "UPDATE store_notifications SET lease_ends_at = now()"
        ),
        Breach(
            "store_notifications",
            "what_is_finished_says_when",
            "UPDATE store_notifications SET finalized_at = NULL"
        ),
        Breach(
            "store_notifications",
            "what_is_finished_says_when",
            "UPDATE store_notifications SET state = 'received'"
        ),
        Breach("store_notifications", "what_failed_says_why", "UPDATE store_notifications SET state = 'failed'"),
        Breach("notification_attempts", "result_is_known", attempt("odd")),
        Breach(
            "notification_attempts",
            "attempts_are_never_changed",
            "UPDATE notification_attempts SET result = 'failed'"
        ),
        Breach("notification_attempts", "attempts_are_never_changed", "DELETE FROM notification_attempts"),
    ]

    private static func entry(
        _ amount: Int,
        _ reference: String,
        kind: String = "refund",
        status: String = "success",
        currency: String = "CNY",
        payer: String = "store",
        notification: String = "NULL"
    ) -> String {
        """
        INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment,
            store_transaction_id, reference, payer, notification_id, occurred_at, recorded_at)
        SELECT gen_random_uuid(), app_id, id, '\(kind)', '\(status)', \(amount), '\(currency)', store, environment,
            't1', '\(reference)', '\(payer)', \(notification), now(), now()
        FROM orders WHERE number = 'o1'
        """
    }

    private static func attempt(_ result: String) -> String {
        """
        INSERT INTO notification_attempts (notification_id, attempt, result, started_at, finished_at)
        SELECT id, 7, '\(result)', now(), now() FROM store_notifications
        """
    }
}
