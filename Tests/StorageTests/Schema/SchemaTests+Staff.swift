extension SchemaTests {
    static let people = [
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

    static let chain = [
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

    static let access = [
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
}
