package import Billing
import Postgres

extension Reader {
    package var savedViews: SavedViewReads { SavedViewReads(reader: self) }
}

/// Views of lists as a person sees them: their own, and those that others share.
package struct SavedViewReads: Sendable {
    let reader: Reader

    /// A person's settings for a list.
    ///
    /// - Parameter seesPersonalData: without it, others' views that may concern one customer are left out: their names may tell which.
    package func settings(
        of list: ListName,
        app: App.ID,
        staff: Staff.ID,
        seesPersonalData: Bool
    ) -> BatchedQuery<ListSettings> {
        BatchedQuery([
            Self.views(of: [list], app: app, staff: staff, seesPersonalData: seesPersonalData),
            "SELECT columns FROM list_columns WHERE staff_id = \(staff) AND list = \(list)",
        ]) { answers in
            ListSettings(
                staff: staff,
                views: try answers[0].map(SavedView.init(row:)),
                columns: try answers[1].first.flatMap {
                    ColumnChoice(text: try $0.decode(0, as: String.self), of: list)
                }
            )
        }
    }

    /// The views of several lists, by list, one's own first, by name.
    package func of(
        _ lists: [ListName],
        app: App.ID,
        staff: Staff.ID,
        seesPersonalData: Bool
    ) async throws -> [SavedView] {
        try await reader.query(Self.views(of: lists, app: app, staff: staff, seesPersonalData: seesPersonalData))
            .map(SavedView.init(row:))
    }

    /// nil when the app has none of that key that this person sees.
    package func find(
        _ id: SavedView.ID,
        app: App.ID,
        staff: Staff.ID,
        seesPersonalData: Bool
    ) async throws -> SavedView? {
        try await reader.query(
            """
            \(SavedView.selection)
            WHERE v.id = \(id) AND v.app_id = \(app) AND \(Self.isSeen(by: staff, seesPersonalData))
            """
        ).first.map(SavedView.init(row:))
    }

    private static func views(of lists: [ListName], app: App.ID, staff: Staff.ID, seesPersonalData: Bool) -> Query {
        """
        \(SavedView.selection)
        WHERE v.app_id = \(app) AND v.list = ANY(\(lists.map(\.rawValue))) AND \(isSeen(by: staff, seesPersonalData))
        ORDER BY v.list, v.staff_id = \(staff) DESC, v.name, v.id
        LIMIT 200
        """
    }

    private static func isSeen(by staff: Staff.ID, _ seesPersonalData: Bool) -> Query {
        "(v.staff_id = \(staff) OR v.is_shared AND (\(seesPersonalData) OR v.query ~ \(namesNobody)))"
    }

    /// A query whose every parameter is one that cannot lead to one customer or one of staff. A text that is looked for (`q`), a
    /// `customer`, an `actor` or an `object` may, and so may whatever a list takes later.
    private static let namesNobody: String = {
        let names = [
            "dir", "environment", "from", "plan", "refunds", "renews", "sort", "state", "status", "store", "to",
        ]
        return "^([?&](\(names.joined(separator: "|")))=[^&]*)*$"
    }()
}
