extension SchemaTests {
    static let signIns = [
        Breach(
            "customers",
            "a_deleted_customer_is_named_by_nothing",
            "UPDATE customers SET name = 'Ada', deleted_at = now()"
        ), Breach("sign_in_identities", "provider_is_known", identity(provider: "'guessed'")),
        Breach(
            "sign_in_identities",
            "nobody_signs_in_before_they_are_known",
            identity(lastSignInAt: "now() - interval '1 second'")
        ),
        Breach("sign_in_subjects", "a_subject_has_a_name", subject("''")),
        Breach("sign_in_subjects", "a_subject_has_a_name", subject("repeat('a', 256)")),
        Breach("sign_in_subjects", "provider_is_known", subject("'001.a'", provider: "'guessed'")),
        Breach(
            "sign_in_subjects",
            "a_subject_is_one_person",
            """
            \(subject("'001.a'"));
            INSERT INTO sign_in_subjects (app_id, provider, subject, identity_id)
            SELECT app_id, provider, subject, identity_id FROM sign_in_subjects
            """
        ),
        Breach("used_credentials", "a_digest_has_32_bytes", "\(credential("'x'"))"),
        Breach(
            "used_credentials",
            "a_credential_is_used_once",
            "\(credential("sha256('a')")); \(credential("sha256('a')"))"
        ),
        Breach(
            "sign_in_revocations",
            "provider_is_known",
            """
            INSERT INTO sign_in_revocations (id, app_id, provider, client_id, sealed_refresh_token, requested_at)
            SELECT gen_random_uuid(), id, 'guessed', 'com.example', '', now() FROM apps LIMIT 1
            """
        ),
        Breach(
            "customer_notes",
            "notes_are_never_rewritten",
            "UPDATE customer_notes SET text = 'erased', withdrawn_at = now()"
        ),
    ]

    private static let identityID = "'00000000-0000-7000-8000-0000000000f2'"

    private static func identity(provider: String = "'apple'", lastSignInAt: String = "now()") -> String {
        """
        INSERT INTO sign_in_identities (id, app_id, customer_id, provider, client_id, created_at, last_sign_in_at)
        SELECT \(identityID), app_id, id, \(provider), 'com.example', now(), \(lastSignInAt)
        FROM customers
        LIMIT 1
        """
    }

    private static func subject(_ name: String, provider: String = "'apple'") -> String {
        """
        \(identity());
        INSERT INTO sign_in_subjects (app_id, provider, subject, identity_id)
        SELECT app_id, \(provider), \(name), id FROM sign_in_identities
        """
    }

    private static func credential(_ digest: String) -> String {
        "INSERT INTO used_credentials (app_id, digest, used_at) SELECT id, \(digest), now() FROM apps LIMIT 1"
    }
}
