extension SchemaTests {
    static let renewalExtensions = [
        breach("an_extension_is_known_once", "\(putOff(identifier: "'r1'")); \(putOff(identifier: "'r1'"))"),
        breach("store_has_a_name", putOff(store: "'A Store'")),
        breach("environment_is_known", putOff(environment: "'xcode'")),
        breach("request_identifier_is_short", putOff(identifier: "repeat('x', 256)")),
        breach("request_identifier_is_short", putOff(identifier: "''")),
        breach("product_is_named", putOff(subscription: "NULL", product: "''")),
        breach("it_is_of_one_subscription_or_one_product", putOff(product: "'pro'")),
        breach("it_is_of_one_subscription_or_one_product", putOff(subscription: "NULL")),
        breach("storefronts_are_of_a_product", putOff(storefronts: "'{USA}'")),
        breach("storefronts_are_of_a_product", putOff(subscription: "NULL", product: "'pro'", storefronts: "'{}'")),
        breach("days_are_from_1_to_90", putOff(days: "91")),
        breach("days_are_from_1_to_90", putOff(days: "0")),
        breach("reason_code_is_known", putOff(code: "4")),
        breach("an_extension_says_why", putOff(reason: "''")),
        breach("a_request_says_all", putOff(days: "NULL")),
        breach("a_request_says_all", putOff(reason: "NULL")),
        breach("it_was_requested_or_summed_up", unrequested(state: "'running'", finished: "NULL")),
        breach("it_was_requested_or_summed_up", unrequested(subscription: "s.id", product: "NULL")),
        breach("counts_are_not_negative", unrequested(succeeded: "-1")),
        breach("state_is_known", putOff(state: "'lost'")),
        breach("what_is_finished_says_when", putOff(state: "'succeeded'")),
        breach("what_was_refused_says_why", putOff(state: "'refused'", finished: "now()")),
    ]

    private static func breach(_ constraint: String, _ statement: String) -> Breach {
        Breach("renewal_extensions", constraint, statement)
    }

    /// An extension that was requested here, in which one thing is wrong.
    private static func putOff(
        store: String = "'apple'",
        environment: String = "'production'",
        identifier: String = "gen_random_uuid()::text",
        subscription: String = "s.id",
        product: String = "NULL",
        storefronts: String = "NULL",
        days: String = "7",
        code: String = "1",
        reason: String = "'An outage.'",
        state: String = "'sending'",
        finished: String = "NULL"
    ) -> String {
        """
        INSERT INTO renewal_extensions
            (id, app_id, store, environment, request_identifier, subscription_id, store_product_id, storefronts, days, reason_code,
             reason, requested_as, requested_at, state, finished_at)
        SELECT gen_random_uuid(), s.app_id, \(store), \(environment), \(identifier), \(subscription), \(product), \(storefronts),
            \(days), \(code), \(reason), 'eve', now(), \(state), \(finished)
        FROM subscriptions s
        LIMIT 1
        """
    }

    /// An extension known only from the store's summary, in which one thing is wrong.
    private static func unrequested(
        subscription: String = "NULL",
        product: String = "'pro'",
        state: String = "'succeeded'",
        succeeded: String = "3",
        finished: String = "now()"
    ) -> String {
        """
        INSERT INTO renewal_extensions
            (id, app_id, store, environment, request_identifier, subscription_id, store_product_id, state, succeeded_count,
             failed_count, finished_at)
        SELECT gen_random_uuid(), s.app_id, 'apple', 'production', 'r1', \(subscription), \(product), \(state), \(succeeded), 0,
            \(finished)
        FROM subscriptions s
        LIMIT 1
        """
    }
}
