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
        Breach("rescinded_consents", "a_consent_is_rescinded_once", "\(consent()); \(consent())"),
        Breach("rescinded_consents", "environment_is_known", consent(environment: "'xcode'")),
        Breach("rescinded_consents", "store_has_a_name", consent(store: "'A Store'")),
        Breach("rescinded_consents", "app_transaction_id_is_short", consent(id: "''")),
    ]

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
