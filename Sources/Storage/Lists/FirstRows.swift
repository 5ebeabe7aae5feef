import Postgres

/// A statement that gives the first rows of a list.
enum FirstRows {
    /// The rows in an order, up to a limit.
    ///
    /// - Parameters:
    ///   - rows: `SELECT … FROM table alias WHERE …`, whose columns the order names by the alias.
    ///   - isSearch: true if the rows are filtered by a text.
    ///
    /// PostgreSQL can only guess how rare a text is: if its sample lacks the text, it assumes one row in ten thousand. Knowing that
    /// few rows are wanted, it would then read a big list in order until it met them, which takes seconds when there are fewer. So
    /// the search is planned apart, with a limit that is only known at run time: the planner expects a tenth of all rows and uses the
    /// trigram index. The outer limit tells it how few rows there are to join.
    static func query(_ rows: Query, as alias: Query, by order: Query, limit: Int, isSearch: Bool) -> Query {
        let limit = Query(unsafe: String(limit))
        guard isSearch else { return "\(rows) ORDER BY \(order) LIMIT \(limit)" }
        return """
            WITH found AS MATERIALIZED (\(rows) ORDER BY \(order) LIMIT (SELECT \(limit)))
            SELECT * FROM found AS \(alias) ORDER BY \(order) LIMIT \(limit)
            """
    }
}
