extension SchemaTests {
    static let customerSessions = [
        Breach(
            "signing_keys",
            "a_public_key_has_64_bytes",
            "INSERT INTO signing_keys (id, sealed_key, public_key, created_at) VALUES (gen_random_uuid(), '', '', now())"
        ),
        Breach("customer_sessions", "method_is_known", session(method: "'guessed'")),
        Breach("customer_sessions", "a_session_expires_after_it_begins", session(end: "now()")),
        Breach("refresh_tokens", "a_token_hash_has_32_bytes", refreshToken(hash: "'x'")),
        Breach("refresh_tokens", "what_is_voided_was_never_used", refreshToken(usedAt: "now()", voidedAt: "now()")),
    ]

    /// A session in which one thing is wrong.
    private static func session(
        id: String = "gen_random_uuid()",
        method: String = "'minted'",
        end: String = "now() + interval '1 hour'"
    ) -> String {
        """
        INSERT INTO customer_sessions (id, app_id, customer_id, method, created_at, expires_at)
        SELECT \(id), app_id, id, \(method), now(), \(end)
        FROM customers
        LIMIT 1
        """
    }

    private static let sessionID = "'00000000-0000-7000-8000-0000000000f1'"

    /// One of a session of its own in which one thing is wrong.
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
