extension SchemaTests {
    static let extensions = [
        Breach("renewal_extension_failures", "a_failure_is_recorded_once", "\(failure()); \(failure())"),
        Breach("renewal_extension_failures", "environment_is_known", failure(environment: "'xcode'")),
        Breach("renewal_extension_failures", "store_has_a_name", failure(store: "'A Store'")),
        Breach("external_purchase_tokens", "a_token_is_known_once", "\(token()); \(token())"),
        Breach("external_purchase_tokens", "environment_is_known", token(environment: "'xcode'")),
        Breach("external_purchase_tokens", "store_has_a_name", token(store: "'A Store'")),
        Breach("external_purchase_tokens", "state_is_known", token(state: "'lost'")),
        Breach("external_purchase_tokens", "external_purchase_id_is_short", token(id: "''")),
        Breach("external_purchase_tokens", "token_type_is_short", token(type: "''")),
        Breach("subscription_aliases", "a_name_is_of_one_subscription", "\(alias()); \(alias())"),
        Breach("subscription_aliases", "environment_is_known", alias(environment: "'xcode'")),
        Breach("subscription_aliases", "store_has_a_name", alias(store: "'A Store'")),
        Breach("order_aliases", "a_transaction_is_of_one_order", "\(orderAlias); \(orderAlias)"),
        Breach("disputed_transactions", "a_dispute_is_noticed_once", "\(dispute); \(dispute)"),
        Breach("orders", "what_is_joined_says_when", "UPDATE orders SET joined_at = now() WHERE number = 'o2'"),
        Breach(
            "orders",
            "what_is_joined_is_void",
            "UPDATE orders SET joined_at = now(), joined_into = id WHERE number = 'o1'"
        ),
        Breach("rescinded_consents", "a_consent_is_rescinded_once", "\(consent()); \(consent())"),
        Breach("rescinded_consents", "environment_is_known", consent(environment: "'xcode'")),
        Breach("rescinded_consents", "store_has_a_name", consent(store: "'A Store'")),
        Breach("rescinded_consents", "app_transaction_id_is_short", consent(id: "''")),
    ]

    static let seats = [
        Breach(
            "subscriptions",
            "an_assigned_seat_is_paid_by_somebody_else",
            "UPDATE subscriptions SET is_assigned = true, is_family_shared = false"
        ),
        Breach("subscriptions", "seats_are_counted_from_one", "UPDATE subscriptions SET seats = 0, revoked_seats = 0"),
        Breach("subscriptions", "seats_are_counted_from_one", "UPDATE subscriptions SET renewal_seats = 0"),
        Breach("subscriptions", "only_seats_are_revoked", "UPDATE subscriptions SET revoked_seats = 1"),
        Breach("subscriptions", "only_seats_are_revoked", "UPDATE subscriptions SET seats = 2, revoked_seats = 3"),
        Breach("subscriptions", "who_invites_is_known", "UPDATE subscriptions SET seat_invitations = 'nobody'"),
        Breach(
            "orders",
            "no_more_seats_are_revoked_than_were_bought",
            "UPDATE orders SET revoked_seats = quantity + 1"
        ),
        Breach("orders", "only_refunds_of_seats_are_estimated", "UPDATE orders SET refund_is_estimated = true"),
        Breach(
            "seat_claims",
            "one_claim_per_id_of_the_store",
            "\(claim(claimed: "now()", id: "'c1'")); \(claim(claimed: "now()", id: "'c1'"))"
        ),
        Breach("seat_claims", "one_open_claim_per_member", "\(claim()); \(claim())"),
        Breach("seat_claims", "environment_is_known", claim(environment: "'xcode'")),
        Breach("seat_claims", "store_has_a_name", claim(store: "'A Store'")),
        Breach("seat_claims", "a_claim_is_held_by_the_store_s_id", claim(id: "'c1'")),
        Breach("seat_claims", "store_claim_id_is_short", claim(claimed: "now()", id: "''")),
        Breach("seat_claims", "app_transaction_id_is_short", claim(account: "''")),
        Breach("seat_claims", "an_end_says_why", claim(ended: "now()")),
        Breach("seat_claims", "what_ends_a_claim_is_known", claim(ended: "now()", why: "'bored'")),
        Breach(
            "seat_claims",
            "only_what_was_refused_says_why",
            "\(claim()); UPDATE seat_claims SET refused_as = 'no'"
        ),
        Breach("seat_claims", "only_what_ended_is_freed", "\(claim()); UPDATE seat_claims SET is_to_be_freed = true"),
        Breach(
            "seat_claims",
            "only_a_known_account_is_named",
            "\(claim()); UPDATE seat_claims SET is_to_be_named = true"
        ),
        Breach(
            "seat_claims",
            "what_waits_says_since_when_and_why",
            "\(claim()); UPDATE seat_claims SET unanswered_since = now()"
        ),
        Breach("unknown_seats", "an_unknown_seat_is_listed_once", "\(unknown()); \(unknown())"),
        Breach("unknown_seats", "unknown_claim_id_is_short", unknown(id: "''")),
        Breach("unknown_seats", "an_unknown_seat_goes_after_it_came", unknown(gone: "now() - interval '1 day'")),
        Breach("seat_claims", "a_claim_ends_after_it_began", claim(ended: "now() - interval '1 day'", why: "'left'")),
    ]

    private static func claim(
        environment: String = "'production'",
        store: String = "'apple'",
        claimed: String = "NULL",
        id: String = "NULL",
        account: String = "NULL",
        ended: String = "NULL",
        why: String = "NULL"
    ) -> String {
        """
        INSERT INTO seat_claims
            (id, app_id, store, environment, subscription_id, customer_id, store_claim_id, app_transaction_id, requested_at, claimed_at,
             ended_at, ended_by)
        SELECT gen_random_uuid(), app_id, \(store), \(environment), id, customer_id, \(id), \(account), now(), \(claimed), \(ended), \(why)
        FROM subscriptions
        WHERE original_transaction_id = 't1'
        """
    }

    private static func unknown(id: String = "'c1'", gone: String = "NULL") -> String {
        """
        INSERT INTO unknown_seats (subscription_id, store_claim_id, app_id, first_seen_at, gone_at)
        SELECT id, \(id), app_id, now(), \(gone)
        FROM subscriptions
        WHERE original_transaction_id = 't1'
        """
    }

    private static func failure(environment: String = "'production'", store: String = "'apple'") -> String {
        """
        INSERT INTO renewal_extension_failures
            (id, app_id, store, environment, store_product_id, subscription_id, event_id, failed_at)
        SELECT gen_random_uuid(), app_id, \(store), \(environment), 'pro', id, 'n9', now()
        FROM subscriptions
        WHERE original_transaction_id = 't1'
        """
    }

    private static func alias(environment: String = "'production'", store: String = "'apple'") -> String {
        """
        INSERT INTO subscription_aliases (app_id, store, environment, original_transaction_id, subscription_id, recorded_at)
        SELECT app_id, \(store), \(environment), 'm1', id, now()
        FROM subscriptions
        WHERE original_transaction_id = 't1'
        """
    }

    private static let orderAlias = """
        INSERT INTO order_aliases (app_id, store, environment, transaction_id, order_id, recorded_at)
        SELECT app_id, store, environment, 'm1', id, now()
        FROM orders
        WHERE number = 'o1'
        """

    private static let dispute = """
        INSERT INTO disputed_transactions (subscription_id, order_id, noticed_at)
        SELECT s.id, o.id, now()
        FROM orders o
        CROSS JOIN subscriptions s
        WHERE o.number = 'o1' AND s.original_transaction_id = 't1'
        """

    private static func token(
        environment: String = "'production'",
        store: String = "'apple'",
        state: String = "'created'",
        id: String = "'x1'",
        type: String = "NULL"
    ) -> String {
        """
        INSERT INTO external_purchase_tokens
            (id, app_id, store, environment, external_purchase_id, state, token_type, told_at, recorded_at)
        VALUES (gen_random_uuid(), '\(TestShop.app)', \(store), \(environment), \(id), \(state), \(type), now(), now())
        """
    }

    private static func consent(
        environment: String = "'production'",
        store: String = "'apple'",
        id: String = "'a1'"
    ) -> String {
        """
        INSERT INTO rescinded_consents (id, app_id, store, environment, app_transaction_id, rescinded_at, recorded_at)
        VALUES (gen_random_uuid(), '\(TestShop.app)', \(store), \(environment), \(id), now(), now())
        """
    }
}
