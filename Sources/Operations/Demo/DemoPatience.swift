import Storage

extension BackOffice {
    /// Does a step of the demo's filling, and again each second for a minute while the database is away or too busy: nobody waits for
    /// the filling as a request is waited for, and what a lost answer counts twice does a demo no harm.
    ///
    /// - Throws: what the step throws otherwise, and in the end.
    package func patiently<Value: Sendable>(_ step: () async throws -> Value) async throws -> Value {
        for _ in 0..<60 {
            do {
                return try await step()
            } catch  where DatabaseFailure(error)?.isPassing == true {
                try await Task.sleep(for: .seconds(1))
            }
        }
        return try await step()
    }
}
