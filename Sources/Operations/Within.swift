/// Runs the body for at most `limit`, then cancels it; what it throws then is what is thrown.
///
/// For what ends at once when it is cancelled, as every query does.
func within<Value: Sendable>(
    _ limit: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        while let first = try await group.next() {
            if let value = first { return value }
            group.cancelAll()
        }
        throw CancellationError()
    }
}
