extension SchemaTests {
    static let stores = [
        Breach("test_notifications", "environment_is_known", testNotification(environment: "'xcode'")),
        Breach("test_notifications", "result_is_known", testNotification(result: "'lost'")),
        Breach("test_notifications", "only_what_failed_has_a_reason", testNotification(reason: "'TIMED_OUT'")),
        Breach("store_keys", "kind_is_known", storeKey(kind: "'password'")),
        Breach("store_keys", "settings_are_an_object", storeKey(settings: "'[]'")),
        Breach(
            "apple_account_notifications",
            "an_account_notification_is_kept_once",
            """
            INSERT INTO apple_account_notifications (id, app_id, notification_id, client_id, type, subject, received_at)
            SELECT gen_random_uuid(), '\(TestShop.app)', 'one', 'com.example', 'consent-revoked', '001.a', now()
            FROM generate_series(1, 2)
            """
        ),
    ]

    /// A test notification in which one thing is wrong.
    private static func testNotification(
        environment: String = "'production'",
        result: String = "'arrived'",
        reason: String = "NULL"
    ) -> String {
        """
        INSERT INTO test_notifications (app_id, store, environment, requested_at, result, reason)
        VALUES ('\(TestShop.app)', 'apple', \(environment), now(), \(result), \(reason))
        """
    }

    /// An uploaded key in which one thing is wrong.
    private static func storeKey(
        kind: String = "'api'",
        settings: String = "'{}'"
    ) -> String {
        """
        INSERT INTO store_keys (app_id, store, kind, settings, sealed_secrets, uploaded_at)
        VALUES ('\(TestShop.app)', 'apple', \(kind), \(settings), '\\x00', now())
        """
    }
}
