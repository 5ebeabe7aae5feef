import Postgres

/// A statement that gives the first rows of a list.
enum FirstRows {
    /// The rows in an order, up to a limit.
    ///
    /// - Parameters:
    ///   - rows: `SELECT … FROM table alias WHERE …`, whose columns the order names by the alias.
    ///   - isSearch: whether a text is looked for.
    ///
    /// How rare a text is PostgreSQL can only guess: what its sample lacks it takes for one row in ten thousand. Knowing that
    /// few rows are wanted it would then read a big list in its order until it met them, for seconds when there are fewer.
    /// So what is found is planned apart, by a limit that it learns only at the end: it expects a tenth of all rows, and
    /// goes by the index of trigrams. The limit outside says how few there are to whatever is joined to them.
    static func query(_ rows: Query, as alias: Query, by order: Query, limit: Int, isSearch: Bool) -> Query {
        let limit = Query(unsafe: String(limit))
        guard isSearch else { return "\(rows) ORDER BY \(order) LIMIT \(limit)" }
        return """
            WITH found AS MATERIALIZED (\(rows) ORDER BY \(order) LIMIT (SELECT \(limit)))
            SELECT * FROM found AS \(alias) ORDER BY \(order) LIMIT \(limit)
            """
    }
}
