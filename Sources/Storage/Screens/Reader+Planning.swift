import Postgres

extension Reader {
    /// Runs a query whose best plan depends on the very values, as a search's does, with a plan made for them.
    ///
    /// The setting holds for the transaction, which is these two statements.
    func queryPlannedForValues(_ query: Query) async throws -> Rows {
        try await pool.pipeline(["SELECT set_config('plan_cache_mode', 'force_custom_plan', true)", query])[1]
    }
}
