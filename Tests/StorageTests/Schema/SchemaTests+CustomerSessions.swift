extension SchemaTests {
    static let customerSessions = [
        Breach(
            "signing_keys",
            "a_public_key_has_64_bytes",
            "INSERT INTO signing_keys (id, sealed_key, public_key, created_at) VALUES (gen_random_uuid(), '', '', now())"
        ),
        Breach("customer_activity", "locale_is_a_language_tag", activity(locale: "'zh_CN'")),
        Breach("customer_activity", "platform_is_known", activity(platform: "'symbian'")),
        Breach("customer_activity", "app_version_is_short", activity(version: "'1.0 (beta)'")),
        Breach("customer_sessions", "method_is_known", session(method: "'guessed'")),
        Breach(
            "entitlement_versions",
            "versions_count_from_one",
            "UPDATE entitlement_versions SET version = 0"
        ),
        Breach(
            "apps",
            "an_offline_entitlement_is_good_for_an_hour_to_90_days",
            "UPDATE apps SET offline_hours = 0"
        ),
        Breach("apps", "an_order_can_be_paid_for_5_minutes_to_2_hours", "UPDATE apps SET checkout_minutes = 4"),
        Breach("apps", "an_order_can_be_paid_for_5_minutes_to_2_hours", "UPDATE apps SET checkout_minutes = 121"),
        Breach("customer_sessions", "sessions_of_an_issuer_have_a_subject", session(subject: "sha256('u1')")),
        Breach("customer_sessions", "a_subject_hash_has_32_bytes", session(method: "'issuer'", subject: "'x'")),
        Breach("apps", "at_most_100_origins", "UPDATE apps SET cors_origins = array_fill('x'::text, ARRAY[101])"),
        Breach("token_issuers", "an_issuer_has_keys_or_a_secret", issuer(secret: "'x'")),
        Breach("token_issuers", "algorithms_fit_the_keys", issuer(url: "NULL")),
        Breach("token_issuers", "algorithms_fit_the_keys", issuer(algorithms: "{HS256}")),
        Breach("token_issuers", "algorithms_fit_the_keys", issuer(algorithms: "{}")),
        Breach("token_issuers", "algorithms_fit_the_keys", issuer(url: "NULL", secret: "'x'", algorithms: "{ES256}")),
        Breach("token_issuers", "leeway_is_up_to_5_minutes", issuer(leeway: "301")),
        Breach("token_issuers", "a_token_lives_up_to_a_week", issuer(lifetime: "604801")),
        Breach("token_issuer_secrets", "slot_is_one_of_two", issuerSecrets(slots: "(3)")),
        Breach("token_issuer_secrets", "two_secrets_of_an_issuer", issuerSecrets(slots: "(1), (1)")),
        Breach(
            "token_issuers",
            "one_app_per_issuer_and_audience",
            """
            INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at)
            VALUES (gen_random_uuid(), 'of-the-same', 'A', 'UTC', 'USD', now(), now());
            INSERT INTO token_issuers
            SELECT id, 'i', 'a', 'https://i.example/k', NULL, '{ES256}', 'sub', 60, 3600
            FROM apps
            LIMIT 2
            """
        ),
        Breach("customer_sessions", "a_session_expires_after_it_begins", session(end: "now()")),
        Breach("refresh_tokens", "a_token_hash_has_32_bytes", refreshToken(hash: "'x'")),
        Breach(
            "rate_limit_buckets",
            "what_is_granted_is_not_negative",
            "INSERT INTO rate_limit_buckets (id, full_at, granted) VALUES (gen_random_uuid(), now(), -1)"
        ),
        Breach("app_rate_limits", "policy_is_of_an_app", rateLimit(policy: "'address'")),
        Breach("app_rate_limits", "calls_are_one_to_a_million", rateLimit(calls: "0")),
        Breach("app_rate_limits", "calls_are_one_to_a_million", rateLimit(calls: "1000001")),
        Breach("app_rate_limits", "seconds_are_one_to_a_day", rateLimit(seconds: "0")),
        Breach("app_rate_limits", "seconds_are_one_to_a_day", rateLimit(seconds: "86401")),
        Breach("refresh_tokens", "what_is_voided_was_never_used", refreshToken(usedAt: "now()", voidedAt: "now()")),
    ]

    /// A customer's activity in which one thing is wrong.
    private static func activity(
        locale: String = "'zh-Hans-CN'",
        platform: String = "'ios'",
        version: String = "'2.3.1'"
    ) -> String {
        """
        INSERT INTO customer_activity (customer_id, last_seen_at, locale, platform, app_version)
        SELECT id, now(), \(locale), \(platform), \(version)
        FROM customers
        LIMIT 1
        """
    }

    /// A session in which one thing is wrong.
    private static func session(
        id: String = "gen_random_uuid()",
        method: String = "'minted'",
        end: String = "now() + interval '1 hour'",
        subject: String = "NULL"
    ) -> String {
        """
        INSERT INTO customer_sessions (id, app_id, customer_id, method, created_at, expires_at, subject_hash)
        SELECT \(id), app_id, id, \(method), now(), \(end), \(subject)
        FROM customers
        LIMIT 1
        """
    }

    /// An app's own issuer in which one thing is wrong.
    private static func issuer(
        url: String = "'https://i.example/k'",
        secret: String = "NULL",
        algorithms: String = "{ES256}",
        leeway: String = "60",
        lifetime: String = "3600"
    ) -> String {
        """
        INSERT INTO token_issuers
        SELECT id, 'i', 'a', \(url), \(secret), '\(algorithms)', 'sub', \(leeway), \(lifetime)
        FROM apps
        LIMIT 1
        """
    }

    /// An app's own rate limit in which one thing is wrong.
    private static func rateLimit(
        policy: String = "'session'",
        calls: String = "1",
        seconds: String = "1"
    ) -> String {
        "INSERT INTO app_rate_limits SELECT id, \(policy), \(calls), \(seconds) FROM apps LIMIT 1"
    }

    /// An app's own issuer, with secrets that staff uploaded.
    private static func issuerSecrets(slots: String) -> String {
        """
        \(issuer(url: "NULL", algorithms: "{HS256}"));
        INSERT INTO token_issuer_secrets (id, app_id, slot, sealed_secret, uploaded_at)
        SELECT gen_random_uuid(), app_id, slot, '\\x00', now()
        FROM token_issuers, (VALUES \(slots)) AS s (slot)
        """
    }

    private static let sessionID = "'00000000-0000-7000-8000-0000000000f1'"

    /// A refresh token, with a session of its own, in which one thing is wrong.
    private static func refreshToken(
        hash: String = "sha256('a')",
        usedAt: String = "NULL",
        voidedAt: String = "NULL"
    ) -> String {
        """
        \(session(id: sessionID));
        INSERT INTO refresh_tokens (token_hash, session_id, created_at, expires_at, used_at, voided_at)
        VALUES (\(hash), \(sessionID), now(), now() + interval '1 day', \(usedAt), \(voidedAt))
        """
    }
}
