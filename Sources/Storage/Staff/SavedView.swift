package import Billing
import Postgres

/// A list with filters, order and columns that somebody gave a name.
package struct SavedView: Sendable, Hashable {
    package typealias ID = Identifier<SavedView>

    package var id: ID
    package var list: ListName
    package var name: String
    /// `?status=refunded`, as the list's address has it; empty for the whole list.
    package var query: String
    package var columns: ColumnChoice
    /// Everybody who sees the app sees it.
    package var isShared: Bool
    package var owner: Staff.ID
    package var ownerName: String

    package init(
        id: ID,
        list: ListName,
        name: String,
        query: String,
        columns: ColumnChoice,
        isShared: Bool,
        owner: Staff.ID,
        ownerName: String
    ) {
        self.id = id
        self.list = list
        self.name = name
        self.query = query
        self.columns = columns
        self.isShared = isShared
        self.owner = owner
        self.ownerName = ownerName
    }
}

/// A person's settings for a list: its views, and the columns that they chose.
package struct ListSettings: Sendable, Hashable {
    package var staff: Staff.ID?
    package var views: [SavedView]
    /// nil for all of them.
    package var columns: ColumnChoice?

    package init(staff: Staff.ID? = nil, views: [SavedView] = [], columns: ColumnChoice? = nil) {
        self.staff = staff
        self.views = views
        self.columns = columns
    }
}

extension SavedView {
    static let selection: Query = """
        SELECT v.id, v.list, v.name, v.query, v.columns, v.is_shared, v.staff_id, t.name
        FROM saved_views v
        JOIN staff t ON t.id = v.staff_id
        """

    init(row: Row) throws {
        let columns: String
        (id, list, name, query, columns, isShared, owner, ownerName) = try row.decode(
            SavedView.ID.self,
            ListName.self,
            String.self,
            String.self,
            String.self,
            Bool.self,
            Staff.ID.self,
            String.self
        )
        self.columns = ColumnChoice(text: columns, of: list) ?? ColumnChoice(allOf: list)
    }
}
