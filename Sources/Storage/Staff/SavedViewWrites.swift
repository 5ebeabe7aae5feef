package import Billing
import Postgres

extension WriteTransaction {
    package var savedViews: SavedViewWrites { SavedViewWrites(transaction: self) }
}

/// Views of lists, and the columns that people choose.
package struct SavedViewWrites: Sendable {
    let transaction: WriteTransaction

    /// False when the person has a view of that name already.
    package func insert(_ view: SavedView, app: App.ID) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO saved_views
                (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
            VALUES (\(view.id), \(app), \(view.owner), \(view.list), \(view.name), \(view.query), \(view.columns.text),
                \(view.isShared), \(transaction.now), \(transaction.now))
            ON CONFLICT ON CONSTRAINT one_view_per_name DO NOTHING
            """
        ).affectedRows == 1
    }

    /// The number of a person's views of a list.
    package func count(of list: ListName, app: App.ID, owner: Staff.ID) async throws -> Int {
        try await transaction.query(
            "SELECT count(*) FROM saved_views WHERE app_id = \(app) AND list = \(list) AND staff_id = \(owner)"
        ).first?.decode(0, as: Int.self) ?? 0
    }

    /// The view, locked; nil when the app has none of that key.
    package func find(_ id: SavedView.ID, app: App.ID) async throws -> SavedView? {
        try await transaction.lock("\(SavedView.selection) WHERE v.id = \(id) AND v.app_id = \(app) FOR UPDATE OF v")
            .first.map(SavedView.init(row:))
    }

    /// False when the owner has another view of that name; the transaction is over then.
    package func update(_ view: SavedView) async throws -> Bool {
        do {
            try await transaction.query(
                """
                UPDATE saved_views
                SET name = \(view.name), is_shared = \(view.isShared), query = \(view.query),
                    columns = \(view.columns.text), updated_at = \(transaction.now)
                WHERE id = \(view.id)
                """
            )
            return true
        } catch let error as PostgresError where error.sqlState == .uniqueViolation {
            return false
        }
    }

    package func delete(_ id: SavedView.ID) async throws {
        try await transaction.query("DELETE FROM saved_views WHERE id = \(id)")
    }

    /// The columns that the person chose before; nil for all.
    package func columns(of list: ListName, staff: Staff.ID) async throws -> ColumnChoice? {
        try await transaction.lock(
            "SELECT columns FROM list_columns WHERE staff_id = \(staff) AND list = \(list) FOR UPDATE"
        ).first.flatMap { ColumnChoice(text: try $0.decode(0, as: String.self), of: list) }
    }

    package func choose(_ columns: ColumnChoice, staff: Staff.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO list_columns (staff_id, list, columns, updated_at)
            VALUES (\(staff), \(columns.list), \(columns.text), \(transaction.now))
            ON CONFLICT (staff_id, list) DO UPDATE
            SET columns = excluded.columns, updated_at = excluded.updated_at
            """
        )
    }
}
