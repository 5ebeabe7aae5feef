import Foundation
import Postgres

/// The clauses that cut a page out of a list sorted by one column and the key.
struct KeysetClauses {
    /// ` AND (column, id) < (…, …)`, or nothing on the first page.
    let condition: Query
    /// `column DESC, id DESC`, turned round for a page that ends before its cursor.
    let order: Query

    /// - Parameters:
    ///   - columns: the sort column and the key as the statement names them, for example `o.amount` and `o.id`.
    ///   - bind: the cursor's value in the column's own type.
    init(columns: (String, String), direction: SortDirection, position: PagePosition, bind: (PageCursor) -> Query) {
        let turned =
            switch position {
            case .first, .after: direction
            case .before: direction.reversed
            }
        switch position {
        case .first: condition = ""
        case .after(let cursor), .before(let cursor):
            let beyond = turned == .descending ? "<" : ">"
            condition = """
                \(unsafe: " AND (\(columns.0), \(columns.1)) \(beyond) (")\(bind(cursor)), \(cursor.id))
                """
        }
        let word = turned == .descending ? "DESC" : "ASC"
        order = Query(unsafe: "\(columns.0) \(word), \(columns.1) \(word)")
    }
}
