import Postgres

extension Reader {
    /// Runs a query whose best plan depends on the very values, as a search's does, with a plan made for them.
    func queryPlannedForValues(_ query: Query) async throws -> Rows {
        try await ask(.plannedForValues(query) { $0 })
    }

    /// Adds up cells, with a plan made for the very values, in which they are hashed and never sorted. PostgreSQL takes their sums
    /// for many more than they are, and sorted all cells of years on disk first.
    func queryAddingUp(_ query: Query) async throws -> Rows {
        let settings: Query = """
            SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'off', true),
                set_config('work_mem', '64MB', true)
            """
        return try await ask(BatchedQuery([settings, query]) { $0[1] })
    }
}

extension BatchedQuery {
    /// One query; the plan is made for its very values where the best one depends on them, as a search's does.
    static func of(
        _ query: Query,
        plannedForValues: Bool,
        read: @escaping @Sendable (Rows) throws -> Answer
    ) -> BatchedQuery {
        plannedForValues ? .plannedForValues(query, read: read) : BatchedQuery([query]) { try read($0[0]) }
    }

    /// The setting holds for the transaction, which is what is sent together.
    fileprivate static func plannedForValues(
        _ query: Query,
        read: @escaping @Sendable (Rows) throws -> Answer
    ) -> BatchedQuery {
        BatchedQuery(["SELECT set_config('plan_cache_mode', 'force_custom_plan', true)", query]) { try read($0[1]) }
    }
}
