import Postgres

/// Statements that are still to be sent and what their rows will mean, so that several inquiries make one round trip.
package struct BatchedQuery<Answer: Sendable>: Sendable {
    let queries: [Query]
    let read: @Sendable ([Rows]) throws -> Answer

    init(_ queries: [Query], read: @escaping @Sendable ([Rows]) throws -> Answer) {
        self.queries = queries
        self.read = read
    }
}

extension BatchedQuery where Answer == Void {
    /// Asks nothing.
    package static var nothing: BatchedQuery { BatchedQuery([]) { _ in } }
}

extension Reader {
    package func ask<Answer>(_ inquiry: BatchedQuery<Answer>) async throws -> Answer {
        try inquiry.read(try await pipeline(inquiry.queries))
    }

    func ask<First, Second>(
        _ first: BatchedQuery<First>,
        _ second: BatchedQuery<Second>
    ) async throws -> (First, Second) {
        let rows = try await pipeline(first.queries + second.queries)
        let (mine, others) = (rows.prefix(first.queries.count), rows.dropFirst(first.queries.count))
        return (try first.read(Array(mine)), try second.read(Array(others)))
    }
}
