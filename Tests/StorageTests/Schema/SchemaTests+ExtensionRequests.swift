extension SchemaTests {
    static let extensionRequests = [
        Breach("extension_requests", "store_has_a_name", extensionRequest(store: "'A Store'")),
        Breach("extension_requests", "environment_is_known", extensionRequest(environment: "'xcode'")),
        Breach("extension_requests", "it_is_of_one_subscription_or_one_product", extensionRequest(product: true)),
        Breach("extension_requests", "storefronts_are_of_a_product", extensionRequest(storefronts: "'{USA}'")),
        Breach("extension_requests", "days_are_from_1_to_90", extensionRequest(days: "91")),
        Breach("extension_requests", "days_are_from_1_to_90", extensionRequest(days: "0")),
        Breach("extension_requests", "reason_code_is_known", extensionRequest(code: "4")),
        Breach("extension_requests", "an_extension_says_why", extensionRequest(reason: "''")),
        Breach("extension_requests", "state_is_known", extensionRequest(state: "'lost'")),
        Breach("extension_requests", "what_is_finished_says_when", extensionRequest(state: "'succeeded'")),
        Breach(
            "extension_requests",
            "what_was_refused_says_why",
            extensionRequest(state: "'refused'", finished: "now()")
        ),
    ]

    /// An extension of one subscription in which one thing is wrong.
    private static func extensionRequest(
        store: String = "'apple'",
        environment: String = "'production'",
        product: Bool = false,
        storefronts: String = "NULL",
        days: String = "7",
        code: String = "1",
        reason: String = "'An outage.'",
        state: String = "'sending'",
        finished: String = "NULL"
    ) -> String {
        """
        INSERT INTO extension_requests
            (id, app_id, store, environment, subscription_id, product_id, storefronts, days, reason_code, reason, requested_as,
             requested_at, state, finished_at)
        SELECT gen_random_uuid(), s.app_id, \(store), \(environment), s.id,
            \(product ? "(SELECT id FROM products LIMIT 1)" : "NULL"), \(storefronts), \(days), \(code), \(reason), 'eve', now(),
            \(state), \(finished)
        FROM subscriptions s
        LIMIT 1
        """
    }
}
