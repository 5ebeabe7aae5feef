extension SchemaTests {
    static let appKeys = [
        breach("one_key_per_hash", "\(key(slot: "1", hash: "sha256('k')")); \(key(slot: "2", hash: "sha256('k')"))"),
        breach("key_is_kept_as_a_hash", key(hash: "'secret'")),
        breach("slot_is_one_of_two", key(slot: "0")),
        breach("slot_is_one_of_two", key(slot: "3")),
        breach("name_has_1_to_100_characters", key(name: "''")),
        breach("name_has_1_to_100_characters", key(name: "repeat('x', 101)")),
        breach("scopes_are_known", key(scopes: "'{}'")),
        breach("scopes_are_known", key(scopes: "'{usage:write,usage:read}'")),
        breach("scopes_are_known", key(scopes: "'{usage:write,NULL}'")),
        breach("a_revocation_says_who", key(revoked: "now()")),
        breach("a_revocation_says_who", key(revoker: "'eve'")),
    ]

    private static func breach(_ constraint: String, _ statement: String) -> Breach {
        Breach("app_keys", constraint, statement)
    }

    /// A secret key in which one thing is wrong.
    private static func key(
        slot: String = "1",
        name: String = "'Server'",
        scopes: String = "'{usage:write}'",
        hash: String = "sha256(gen_random_uuid()::text::bytea)",
        revoked: String = "NULL",
        revoker: String = "NULL"
    ) -> String {
        """
        INSERT INTO app_keys
            (id, app_id, slot, name, scopes, token_hash, created_as, created_at, revoked_at, revoked_as)
        VALUES
            (gen_random_uuid(), '\(TestShop.app)', \(slot), \(name), \(scopes), \(hash), 'eve', now(), \(revoked), \(revoker))
        """
    }
}
