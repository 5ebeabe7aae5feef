extension SchemaTests {
    static let installation = [
        Breach("installation", "there_is_one_installation", "INSERT INTO installation (only_one) VALUES (false)"),
        Breach(
            "installation",
            "a_fingerprint_has_32_bytes",
            "INSERT INTO installation (secret_fingerprint) VALUES ('\\x00')"
        ),
        Breach(
            "installation",
            "a_timeline_belongs_to_a_cluster",
            "INSERT INTO installation (newest_timeline) VALUES (1)"
        ),
        Breach(
            "installation",
            "timelines_count_from_one",
            "INSERT INTO installation (system_identifier, newest_timeline) VALUES (1, 0)"
        ),
    ]
}
