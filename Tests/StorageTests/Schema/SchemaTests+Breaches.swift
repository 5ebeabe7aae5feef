extension SchemaTests {
    /// One statement that breaks one rule.
    struct Breach {
        var table: String
        var rule: String
        var sql: String
        /// The name that the error bears, where it is not the rule's own.
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
        + grants + bulk + notes + numbers + periods + reports + health + installation

    private static let catalog = [
        Breach("apps", "one_app_per_slug", "UPDATE apps SET slug = 'shop'"),
        Breach("apps", "one_app_per_apple_bundle", "UPDATE apps SET apple_bundle_id = 'test.shop'"),
        Breach("apps", "slug_is_lower_case_with_hyphens", "UPDATE apps SET slug = 'Shop' WHERE slug = 'shop'"),
        Breach("apps", "slug_is_lower_case_with_hyphens", "UPDATE apps SET slug = 'a--b' WHERE slug = 'shop'"),
        Breach("apps", "currency_is_iso_4217", "UPDATE apps SET reporting_currency = 'yuan'"),
        Breach("apps", "apple_environment_is_store_or_simulator", "UPDATE apps SET apple_environment = 'both'"),
        Breach("apple_anchors", "fingerprint_is_of_the_certificate", "UPDATE apple_anchors SET der = '\\x02'"),
        Breach("plans", "one_plan_per_code", "UPDATE plans SET code = 'PRO'"),
        Breach("plans", "one_plan_per_rank", "UPDATE plans SET rank = 1"),
        Breach("plans", "rank_is_not_negative", "UPDATE plans SET rank = -1 WHERE code = 'PRO'"),
        Breach("products", "one_product_per_store_product", "UPDATE products SET store_product_id = 'pro'"),
        Breach("products", "store_is_known", "UPDATE products SET store = 'steam'"),
        Breach("products", "period_is_whole", "UPDATE products SET period_unit = NULL"),
        Breach("products", "trial_is_whole", "UPDATE products SET trial_count = NULL"),
        Breach("products", "period_is_at_least_one", "UPDATE products SET period_count = 0 WHERE period_count = 1"),
        Breach("products", "trial_is_at_least_one", "UPDATE products SET trial_count = 0 WHERE trial_count = 7"),
        Breach("products", "period_unit_is_known", "UPDATE products SET period_unit = 'eon' WHERE period_count = 1"),
        Breach("products", "trial_unit_is_known", "UPDATE products SET trial_unit = 'eon' WHERE trial_count = 7"),
        Breach("product_prices", "price_is_not_negative", "UPDATE product_prices SET minor_units = -1"),
        Breach("product_prices", "price_currency_is_iso_4217", "UPDATE product_prices SET currency = 'cny'"),
    ]

    private static let actions = [
        Breach("idempotency_keys", "fingerprint_is_a_sha_256", "UPDATE idempotency_keys SET fingerprint = '\\x00'"),
        Breach("idempotency_keys", "key_has_at_most_255_characters", "UPDATE idempotency_keys SET key = ''"),
    ]

    private static let refunds = [
        Breach("apps", "self_approval_limit_is_not_negative", "UPDATE apps SET refund_self_approval_limit = -1"),
        Breach("apps", "typed_confirmation_starts_at_nothing_or_more", "UPDATE apps SET typed_confirmation_from = -1"),
        Breach(
            "apps",
            "refund_requests_expire_within_ten_years",
            "UPDATE apps SET refund_request_expires_after_days = 0"
        ),
        Breach("refund_requests", "one_request_per_number", "UPDATE refund_requests SET number = 'RF-000001'"),
        Breach("refund_requests", "number_is_rf_and_six_digits_or_more", "UPDATE refund_requests SET number = 'RF-1'"),
        Breach(
            "refund_requests",
            "requests_are_in_the_order_s_currency",
            "UPDATE refund_requests SET currency = 'EUR'"
        ),
        Breach("refund_requests", "kind_is_known", "UPDATE refund_requests SET kind = 'half'"),
        Breach("refund_requests", "status_is_known", "UPDATE refund_requests SET status = 'odd', \(ended)"),
        Breach("refund_requests", "requested_is_more_than_nothing", "UPDATE refund_requests SET requested_amount = 0"),
        Breach(
            "refund_requests",
            "approved_is_never_above_requested",
            "UPDATE refund_requests SET \(decided), status = 'approved', approved_amount = 901 WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "approved_is_never_above_requested",
            "UPDATE refund_requests SET \(decided), status = 'approved', approved_amount = 0 WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "processed_is_more_than_nothing",
            "UPDATE refund_requests SET \(decided), \(ended), approved_amount = 900, status = 'processed', processed_amount = 0, payer = 'store'"
        ),
        Breach("refund_requests", "a_request_says_why", "UPDATE refund_requests SET reason = ''"),
        Breach(
            "refund_requests",
            "a_decision_says_who_and_when",
            "UPDATE refund_requests SET status = 'approved', approved_amount = 900, decided_at = now() WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "a_decision_says_who_and_when",
            "UPDATE refund_requests SET status = 'rejected', \(ended)"
        ),
        Breach("refund_requests", "a_decision_says_who_and_when", "UPDATE refund_requests SET \(decided)"),
        Breach(
            "refund_requests",
            "what_is_approved_has_an_amount",
            "UPDATE refund_requests SET \(decided), status = 'approved' WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "approved_by_another_person_unless_allowed",
            "UPDATE refund_requests SET \(approved), decided_by = requested_by WHERE number = 'RF-000001'"
        ),
        Breach("refund_requests", "an_end_says_who_and_when", "UPDATE refund_requests SET status = 'cancelled'"),
        Breach("refund_requests", "an_end_says_who_and_when", "UPDATE refund_requests SET finished_at = now()"),
        Breach(
            "refund_requests",
            "what_is_processed_says_how_much_and_by_whom_paid",
            "UPDATE refund_requests SET \(decided), \(ended), approved_amount = 900, status = 'processed', processed_amount = 900"
        ),
        Breach(
            "refund_requests",
            "payer_is_known",
            "UPDATE refund_requests SET \(decided), \(ended), approved_amount = 900, status = 'processed', processed_amount = 900, payer = 'me'"
        ),
        Breach(
            "refund_requests",
            "refund_preference_is_known",
            "UPDATE refund_requests SET refund_preference = 'MAYBE'"
        ),
        Breach(
            "refund_requests",
            "consumption_is_due_after_its_request",
            "UPDATE refund_requests SET consumption_due_at = now()"
        ),
        Breach(
            "refund_requests",
            "approved_is_never_above_what_is_left",
            """
            UPDATE refund_requests
            SET \(decided), status = 'approved', approved_amount = 1000, requested_amount = 1000
            """
        ),
        Breach("refund_requests", "requests_are_never_removed", "DELETE FROM refund_requests"),
    ]

    private static let decided = "decided_as = 'eve', decided_at = now()"
    private static let approved = decided + ", status = 'approved', approved_amount = 900"
    private static let ended = "finished_as = 'eve', finished_at = now()"

    private static let lives = [
        Breach("customers", "one_customer_per_key", "UPDATE customers SET key = 'ada'"),
        Breach("customers", "one_customer_per_external_id", "UPDATE customers SET external_id = 'a'"),
        Breach(
            "subscriptions",
            "one_subscription_per_chain",
            "UPDATE subscriptions SET original_transaction_id = 't1'"
        ),
        Breach("subscriptions", "store_is_known", "UPDATE subscriptions SET store = 'steam'"),
        Breach("subscriptions", "environment_is_known", "UPDATE subscriptions SET environment = 'xcode'"),
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
            "an_event_came_in_a_notification",
            "UPDATE subscription_events SET notification_id = gen_random_uuid()"
        ),
    ]

    private static let books = [
        Breach("orders", "one_order_per_number", "UPDATE orders SET number = 'o1'"),
        Breach("orders", "one_order_per_store_transaction", "UPDATE orders SET transaction_id = 'o1'"),
        Breach("orders", "amount_is_not_negative", "UPDATE orders SET amount = -1, refunded = 0 WHERE number = 'o2'"),
        Breach("orders", "refunded_is_never_above_charged", "UPDATE orders SET refunded = 1801 WHERE number = 'o1'"),
        Breach("orders", "refunded_is_never_above_charged", "UPDATE orders SET refunded = -1 WHERE number = 'o1'"),
        Breach("orders", "currency_is_iso_4217", "UPDATE orders SET currency = '¥¥¥'"),
        Breach("orders", "store_is_known", "UPDATE orders SET store = 'steam'"),
        Breach("orders", "environment_is_known", "UPDATE orders SET environment = 'xcode'"),
        Breach("orders", "kind_is_a_charge", "UPDATE orders SET kind = 'refund'"),
        Breach("orders", "status_is_known", "UPDATE orders SET status = 'odd', refunded = 0"),
        Breach(
            "orders",
            "status_tells_what_was_refunded",
            "UPDATE orders SET status = 'completed' WHERE number = 'o1'"
        ),
        Breach("orders", "status_tells_what_was_refunded", "UPDATE orders SET status = 'refunded' WHERE number = 'o1'"),
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
        Breach("ledger_entries", "an_entry_came_in_a_notification", entry(0, "x", notification: "gen_random_uuid()")),
        Breach("ledger_entries", "ledger_rows_are_never_changed", "UPDATE ledger_entries SET amount = amount"),
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
        Breach("store_notifications", "waits_are_attempts", "UPDATE store_notifications SET waits = attempts + 1"),
        Breach("store_notifications", "store_is_known", "UPDATE store_notifications SET store = 'steam'"),
        Breach("store_notifications", "environment_is_known", "UPDATE store_notifications SET environment = 'xcode'"),
        Breach(
            "store_notifications",
            "state_is_known",
            "UPDATE store_notifications SET state = 'lost', finished_at = NULL"
        ),
        Breach(
            "store_notifications",
            "a_lease_has_an_owner_and_an_end",
            "UPDATE store_notifications SET state = 'processing', finished_at = NULL"
        ),
        Breach(
            "store_notifications",
            "a_lease_has_an_owner_and_an_end",
            "UPDATE store_notifications SET leased_by = gen_random_uuid()"
        ),
        Breach(
            "store_notifications",
            "a_lease_has_an_owner_and_an_end",
            "UPDATE store_notifications SET lease_ends_at = now()"
        ),
        Breach(
            "store_notifications",
            "what_is_finished_says_when",
            "UPDATE store_notifications SET finished_at = NULL"
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

    private static let people = [
        Breach("staff", "role_is_known", "UPDATE staff SET role = 'king'"),
        Breach("staff", "theme_is_known", "UPDATE staff SET theme = 'pink'"),
        Breach("staff", "language_is_known", "UPDATE staff SET language = 'zh'"),
        Breach("staff", "e_mail_is_kept_in_lower_case", "UPDATE staff SET email = upper(email)"),
        Breach("staff", "one_account_per_e_mail", "UPDATE staff SET email = 'ada@example.com'"),
        Breach("staff_sessions", "token_is_kept_as_a_hash", "UPDATE staff_sessions SET token_hash = 'secret'"),
        Breach("staff_tokens", "one_token_per_hash", "UPDATE staff_tokens SET token_hash = sha256('x')"),
        Breach("staff_tokens", "token_is_kept_as_a_hash", "UPDATE staff_tokens SET token_hash = 'secret'"),
        Breach("sign_in_failures", "failures_are_counted_from_one", "UPDATE sign_in_failures SET failures = 0"),
        Breach("audit_entries", "audit_rows_are_never_changed", "UPDATE audit_entries SET actor = 'nobody'"),
        Breach("audit_entries", "audit_rows_are_never_changed", "DELETE FROM audit_entries"),
        Breach("audit_entries", "the_audit_is_never_emptied", "TRUNCATE audit_entries CASCADE"),
    ]

    private static let chain = [
        Breach("audit_chain", "links_are_never_changed", "UPDATE audit_chain SET hash = sha256('x')"),
        Breach("audit_chain", "links_are_never_changed", "DELETE FROM audit_chain"),
        Breach("audit_chain", "the_chain_is_never_emptied", "TRUNCATE audit_chain"),
        Breach("audit_chain", "one_link_per_entry", link(number: 9)),
        Breach("audit_chain", "links_are_counted_from_one", link(number: 0)),
        Breach("audit_chain", "hash_is_a_sha_256", link(number: 9, hash: "short")),
        Breach("audit_chain", "a_link_has_a_known_version", link(number: 9, version: 3)),
        Breach("audit_head", "the_head_only_moves_on", "UPDATE audit_head SET number = number + 1"),
        Breach("audit_head", "the_head_only_moves_on", "UPDATE audit_head SET number = 0"),
        Breach("audit_head", "the_head_stays", "DELETE FROM audit_head"),
        Breach("audit_head", "the_head_is_never_emptied", "TRUNCATE audit_head"),
        Breach("audit_head", "there_is_one_head", "INSERT INTO audit_head VALUES (false, 1, sha256('x'))"),
        Breach("audit_head", "hash_is_a_sha_256", "INSERT INTO audit_head VALUES (true, 1, 'short')"),
    ]

    private static let access = [
        Breach("staff", "one_admin_remains", "UPDATE staff SET role = 'support'"),
        Breach("staff", "one_admin_remains", "UPDATE staff SET disabled_at = now()"),
        Breach("staff", "one_admin_remains", "UPDATE staff SET password_hash = '!'"),
        Breach("staff_sessions", "one_session_per_id", session(of: "ada@example.com", "SELECT id FROM staff_sessions")),
        Breach("mfa_challenges", "token_is_kept_as_a_hash", proof("mfa_challenges", "'secret'")),
        Breach(
            "staff_devices",
            "token_is_kept_as_a_hash",
            "INSERT INTO staff_devices SELECT 'secret', id, now(), now() FROM staff"
        ),
        Breach("untrusted_proxies", "address_is_one", "INSERT INTO untrusted_proxies VALUES ('a proxy', now())"),
        Breach("password_setup_tokens", "token_is_kept_as_a_hash", proof("password_setup_tokens", "'secret'")),
        Breach("password_setup_tokens", "one_link_per_hash", proof("password_setup_tokens", "sha256('x')")),
        Breach(
            "staff_two_factor",
            "secret_is_sealed",
            "INSERT INTO staff_two_factor SELECT id, 'JBSWY3DPEHPK3PXP', now(), now(), 0 FROM staff"
        ),
        Breach(
            "staff_recovery_codes",
            "code_is_kept_as_a_hash",
            "INSERT INTO staff_recovery_codes SELECT id, 'abcd-efgh' FROM staff"
        ),
    ]

    private static func link(
        number: Int,
        hash: String = "00000000000000000000000000000000",
        version: Int = 2
    ) -> String {
        "INSERT INTO audit_chain SELECT \(number), id, '\(hash)', \(version) FROM audit_entries"
    }

    private static func session(of email: String, _ id: String) -> String {
        """
        INSERT INTO staff_sessions (token_hash, staff_id, created_at, last_seen_at, expires_at, id)
        SELECT sha256('another'), id, now(), now(), now(), (\(id)) FROM staff WHERE email = '\(email)'
        """
    }

    private static func proof(_ table: String, _ hash: String) -> String {
        "INSERT INTO \(table) (staff_id, token_hash, created_at, expires_at) SELECT id, \(hash), now(), now() FROM staff"
    }

    private static func entry(
        _ amount: Int,
        _ reference: String,
        kind: String = "refund",
        status: String = "success",
        currency: String = "CNY",
        notification: String = "NULL"
    ) -> String {
        """
        INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment,
            store_transaction_id, reference, notification_id, occurred_at, recorded_at)
        SELECT gen_random_uuid(), app_id, id, '\(kind)', '\(status)', \(amount), '\(currency)', store, environment,
            't1', '\(reference)', \(notification), now(), now()
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
