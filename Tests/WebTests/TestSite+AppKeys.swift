import Foundation
import Postgres

extension TestSite {
    static let appKey = "00000000-0000-7000-8000-0000000000f1"

    /// Adds a live secret key of readmigo's, whose text nobody knows.
    func addAppKey() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO app_keys (id, app_id, slot, name, scopes, token_hash, created_as, created_at)
                    VALUES ('\(Self.appKey)', '\(Self.readmigo)', 1, 'Server', '{usage:write}', sha256('server'), 'eve', now())
                    """
            )
        }
    }

    static let issuerSecret = "00000000-0000-7000-8000-0000000000f2"

    /// Adds an issuer of readmigo's own, whose secrets staff upload.
    ///
    /// - Parameter withSecret: true to upload a secret, which nobody can open.
    func addIssuer(withSecret: Bool = false) async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO token_issuers
                        (app_id, issuer, audience, algorithms, claim, leeway_seconds, longest_lifetime_seconds)
                    VALUES
                        ('\(Self.readmigo)', 'https://login.example.com', 'readmigo', '{HS256}', 'sub', 60, 3600);
                    INSERT INTO token_issuer_secrets (id, app_id, slot, sealed_secret, uploaded_at)
                    SELECT '\(Self.issuerSecret)', '\(Self.readmigo)', 1, '\\x00', now()
                    WHERE \(withSecret)
                    """
            )
        }
    }
}
