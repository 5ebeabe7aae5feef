import Postgres

extension Database {
    /// The server's version string, such as "15.14 (Debian 15.14-0+deb12u1)".
    package func serverVersion() async throws -> String {
        try await writeAlone("SELECT current_setting('server_version')").first?.decode(0) ?? ""
    }

    /// Writes down on which timeline of which cluster this database is, for its standbys to say which one they follow.
    package func rememberTimeline() async throws {
        do {
            _ = try await writeAlone(
                """
                UPDATE installation
                SET system_identifier = here.system, newest_timeline = here.timeline
                FROM (
                    SELECT system_identifier AS system,
                        ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint AS timeline
                    FROM pg_control_system()
                ) AS here
                WHERE system_identifier IS DISTINCT FROM here.system OR newest_timeline IS DISTINCT FROM here.timeline
                """
            )
        } catch let error as PostgresError
            where error.sqlState == .insufficientPrivilege || error.sqlState == .readOnlySQLTransaction
        {
            // Some providers do not tell a role where its server stands; and what is read-only is kept as it is.
        }
    }

    /// The newest sealed secret and its owner; nil where there is none.
    package func newestSealedSecret() async throws -> (owner: Staff.ID, sealed: [UInt8])? {
        let rows = try await writeAlone(
            """
            SELECT staff_id, sealed_secret
            FROM staff_two_factor
            ORDER BY created_at DESC
            LIMIT 1
            """
        )
        guard let row = rows.first else { return nil }
        let (owner, sealed) = try row.decode(Staff.ID.self, [UInt8].self)
        return (owner, sealed)
    }

    /// The fingerprint of the secret that this database's sealed values were made with; nil while there is none.
    package func secretFingerprint() async throws -> [UInt8]? {
        try await writeAlone("SELECT secret_fingerprint FROM installation").first?.decode(0, as: [UInt8]?.self)
    }

    /// Remembers a fingerprint where none is known.
    ///
    /// - Returns: the one that is known then; another than `mine` when somebody was quicker.
    package func rememberSecretFingerprint(_ mine: [UInt8]) async throws -> [UInt8]? {
        _ = try await writeAlone(
            "UPDATE installation SET secret_fingerprint = \(mine) WHERE secret_fingerprint IS NULL"
        )
        return try await secretFingerprint()
    }
}

extension WriteTransaction {
    /// Forgets the secret and everything that it sealed: every second factor, the stores' keys and the logins' secrets that staff
    /// uploaded, and the keys that sign access tokens. Promo codes were derived from it: their batches are stopped, as nobody can
    /// redeem them.
    ///
    /// - Returns: the accounts whose second factor went.
    package func forgetSecret() async throws -> [String] {
        _ = try await query("UPDATE installation SET secret_fingerprint = NULL")
        _ = try await query("DELETE FROM store_keys")
        _ = try await query("DELETE FROM token_issuer_secrets")
        _ = try await query("DELETE FROM signing_keys")
        _ = try await query(
            "UPDATE promo_batches SET stopped_at = \(now), stopped_as = 'command line' WHERE stopped_at IS NULL"
        )
        return try await query(
            """
            WITH gone AS (DELETE FROM staff_two_factor RETURNING staff_id)
            SELECT s.email FROM gone JOIN staff s ON s.id = gone.staff_id ORDER BY s.email
            """
        ).map { try $0.decode(String.self) }
    }
}
