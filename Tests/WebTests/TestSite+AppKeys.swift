import Foundation
import Postgres

extension TestSite {
    static let appKey = "00000000-0000-7000-8000-0000000000f1"

    /// A live secret key of readmigo's, whose text nobody knows.
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
}
