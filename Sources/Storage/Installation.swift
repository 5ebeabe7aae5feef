import Postgres

extension Database {
    /// What the server calls its version, such as "15.14 (Debian 15.14-0+deb12u1)".
    package func serverVersion() async throws -> String {
        try await writeAlone("SELECT current_setting('server_version')").first?.decode(0) ?? ""
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
    /// Forgets what the secret is and what it sealed: every second factor.
    ///
    /// - Returns: the accounts whose second factor went.
    package func forgetSecret() async throws -> [String] {
        _ = try await query("UPDATE installation SET secret_fingerprint = NULL")
        return try await query(
            """
            WITH gone AS (DELETE FROM staff_two_factor RETURNING staff_id)
            SELECT s.email FROM gone JOIN staff s ON s.id = gone.staff_id ORDER BY s.email
            """
        ).map { try $0.decode(String.self) }
    }
}
