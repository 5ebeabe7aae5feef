import Billing
import Postgres

extension StoreFee {
    /// What stores keep of an app's charges, where its terms are not the usual ones.
    static func query(of app: App.ID) -> Query {
        "SELECT store, first_year, later FROM store_fees WHERE app_id = \(app)"
    }

    /// - Parameter rows: of `query`.
    static func byStore(_ rows: Rows) throws -> [Store: StoreFee] {
        try Dictionary(
            rows.map { row in
                let (store, firstYear, later) = try row.decode(Store.self, Int32.self, Int32.self)
                return (store, StoreFee(firstYear: Int(firstYear), later: Int(later)))
            }
        ) { first, _ in first }
    }
}
