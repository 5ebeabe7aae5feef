package import Billing
import Foundation
import Postgres

extension Reader {
    package var appKeys: AppKeyReads { AppKeyReads(reader: self) }
}

package struct AppKeyReads: Sendable {
    let reader: Reader

    /// As many revoked keys are listed.
    private static let mostRevoked: Int32 = 20

    /// The live key of this hash; nil when it was revoked, or never was.
    package func find(tokenHash: [UInt8]) async throws -> AppKey? {
        let rows = try await reader.pool.query(
            """
            SELECT k.id, a.id, a.slug, k.name, k.scopes, k.last_used_at
            FROM app_keys k
            JOIN apps a ON a.id = k.app_id
            WHERE k.token_hash = \(tokenHash) AND k.revoked_at IS NULL
            """,
            timeout: reader.doorTimeout
        )
        guard let row = rows.first else { return nil }
        let (id, app, slug, name, scopes, usedAt) = try row.decode(
            AppKey.ID.self,
            App.ID.self,
            String.self,
            String.self,
            [String].self,
            Date?.self
        )
        return AppKey(
            id: id,
            app: app,
            slug: slug,
            name: name,
            scopes: Set(scopes.compactMap { AppKeyScope(rawValue: $0) }),
            lastUsedAt: usedAt
        )
    }

    /// The keys of an app: the live ones, newest first, then those that were revoked last.
    package func list(of app: App.ID) async throws -> [ListedAppKey] {
        let live = try await reader.query(
            """
            \(ListedAppKey.selection)
            WHERE app_id = \(app) AND revoked_at IS NULL
            ORDER BY created_at DESC, id DESC
            """
        ).map(ListedAppKey.init(row:))
        let revoked = try await reader.query(
            """
            \(ListedAppKey.selection)
            WHERE app_id = \(app) AND revoked_at IS NOT NULL
            ORDER BY revoked_at DESC, id DESC
            LIMIT \(Self.mostRevoked)
            """
        ).map(ListedAppKey.init(row:))
        return live + revoked
    }

    /// A key, live or not; nil when the app has none of that id.
    package func listed(_ id: AppKey.ID, of app: App.ID) async throws -> ListedAppKey? {
        try await reader.query("\(ListedAppKey.selection) WHERE id = \(id) AND app_id = \(app)").first
            .map(ListedAppKey.init(row:))
    }
}

extension ListedAppKey {
    fileprivate static let selection: Query = """
        SELECT id, name, scopes, created_as, created_at, last_used_at, revoked_at, revoked_as
        FROM app_keys
        """

    fileprivate init(row: Row) throws {
        let (id, name, scopes, createdAs, createdAt, usedAt, revokedAt, revokedAs) = try row.decode(
            AppKey.ID.self,
            String.self,
            [String].self,
            String.self,
            Date.self,
            Date?.self,
            Date?.self,
            String?.self
        )
        self.init(
            id: id,
            name: name,
            scopes: Set(scopes.compactMap { AppKeyScope(rawValue: $0) }).inOrder,
            createdAs: createdAs,
            createdAt: createdAt,
            lastUsedAt: usedAt,
            revocation: revokedAt.map { Revocation(at: $0, by: revokedAs ?? "") }
        )
    }
}
