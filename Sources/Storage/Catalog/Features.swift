package import Billing
import Foundation
import Postgres

/// A feature as an app's catalogue has it.
package struct FeatureRecord: Hashable, Sendable {
    package typealias ID = Identifier<Feature>

    package var id: ID
    package var feature: CatalogFeature

    package init(id: ID, feature: CatalogFeature) {
        self.id = id
        self.feature = feature
    }

    package var code: String { feature.feature.code }

    /// In the order of the catalogue.
    static func query(of app: App.ID) -> Query {
        """
        SELECT id, code, name, names, limit_reached
        FROM features
        WHERE app_id = \(app)
        ORDER BY position, code
        """
    }

    /// - Parameter row: of `query`.
    init(row: Row) throws {
        let (id, code, name, names, limitReached) = try row.decode(
            ID.self,
            String.self,
            String.self,
            LocalizedText.self,
            LocalizedText.self
        )
        self.init(
            id: id,
            feature: CatalogFeature(feature: Feature(code: code), name: name, names: names, limitReached: limitReached)
        )
    }
}

extension CatalogWrites {
    package func save(feature: CatalogFeature, as id: FeatureRecord.ID, at position: Int, of app: App.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO features (id, app_id, code, name, names, limit_reached, position)
            VALUES
                (\(id), \(app), \(feature.feature.code), \(feature.name), \(feature.names), \(feature.limitReached),
                 \(position, as: Int32.self))
            ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, names = excluded.names, limit_reached = excluded.limit_reached,
                position = excluded.position
            """
        )
    }

    /// Takes it out of all plans, too.
    ///
    /// - Returns: false where customers have used it; then it stays.
    package func remove(feature: FeatureRecord.ID) async throws -> Bool {
        try await transaction.query(
            """
            DELETE FROM features
            WHERE id = \(feature) AND NOT EXISTS (SELECT FROM usage_counters WHERE feature_id = \(feature))
            """
        ).affectedRows == 1
    }
}
