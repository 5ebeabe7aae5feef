extension SchemaTests {
    static let purchases = [
        Breach("customers", "a_merger_has_a_moment", "UPDATE customers SET merged_at = now()"),
        Breach(
            "customers",
            "nobody_is_merged_into_themselves",
            "UPDATE customers SET merged_into = id, merged_at = now()"
        ),
        Breach("purchase_verifications", "one_verification_per_proof", "\(verification()); \(verification())"),
        Breach(
            "purchase_verifications",
            "what_is_worthless_says_why",
            "\(verification()); UPDATE purchase_verifications SET worthless = ARRAY['']"
        ),
        Breach("purchase_verifications", "store_has_a_name", verification(store: "'A Store'")),
        Breach("purchase_verifications", "form_is_known", verification(form: "'letter'")),
        Breach("purchase_verifications", "a_proof_is_something", verification(proof: "'{}'")),
        Breach("purchase_verifications", "digest_is_a_sha_256", verification(digest: "'abc'")),
        Breach("purchase_verifications", "environment_is_known", verification(environment: "'xcode'")),
        Breach("purchase_verifications", "state_is_known", verification(state: "'lost'")),
        Breach("purchase_verifications", "what_is_final_has_a_moment", verification(state: "'verified'")),
        Breach(
            "purchase_verifications",
            "what_is_rejected_has_a_reason",
            verification(state: "'rejected'", finished: "now()")
        ),
        Breach(
            "purchase_claims",
            "outcome_is_known",
            """
            \(verification());
            INSERT INTO purchase_claims (subscription_id, customer_id, verification_id, outcome, claimed_at)
            SELECT (SELECT id FROM subscriptions LIMIT 1), customer_id, id, 'lost', now() FROM purchase_verifications
            """
        ),
        Breach("app_transactions", "environment_is_known", appTransaction(environment: "'xcode'")),
        Breach("app_transactions", "id_is_not_empty", appTransaction(id: "''")),
        Breach(
            "grants",
            "provisional_access_names_its_verification",
            "UPDATE grants SET kind = 'provisional'"
        ),
        Breach(
            "grants",
            "shared_access_is_provisional",
            "UPDATE grants SET shared_subscription_id = (SELECT id FROM subscriptions LIMIT 1)"
        ),
        Breach(
            "purchase_moves",
            "a_purchase_moves_to_somebody_else",
            """
            INSERT INTO purchase_moves (subscription_id, from_customer_id, to_customer_id, moved_at)
            SELECT id, customer_id, customer_id, now() FROM subscriptions LIMIT 1
            """
        ),
        Breach("apps", "transfer_behavior_is_known", "UPDATE apps SET transfer_behavior = 'copy'"),
        Breach("apps", "owner_hint_is_known", "UPDATE apps SET owner_hint = 'everything'"),
    ]

    /// A verification in which one thing is wrong.
    private static func verification(
        store: String = "'apple'",
        form: String = "'receipt'",
        proof: String = "'{abc}'",
        digest: String = "decode(repeat('00', 32), 'hex')",
        environment: String = "'production'",
        state: String = "'pending'",
        finished: String = "NULL"
    ) -> String {
        """
        INSERT INTO purchase_verifications
            (id, app_id, customer_id, store, form, proof, digest, environment, state, requested_at, finished_at)
        VALUES (gen_random_uuid(), '\(TestShop.app)', (SELECT min(id::text)::uuid FROM customers), \(store), \(form), \(proof),
            \(digest), \(environment), \(state), now(), \(finished))
        """
    }

    private static func appTransaction(environment: String = "'production'", id: String = "'704'") -> String {
        """
        INSERT INTO app_transactions (app_id, environment, app_transaction_id, customer_id, first_seen_at)
        SELECT '\(TestShop.app)', \(environment), \(id), id, now() FROM customers LIMIT 1
        """
    }
}
