import Postgres

/// Statements that are still to be sent and what their rows will mean, so that several inquiries make one round trip.
package struct Inquiry<Answer: Sendable>: Sendable {
    let queries: [Query]
    let read: @Sendable ([Rows]) throws -> Answer

    init(_ queries: [Query], read: @escaping @Sendable ([Rows]) throws -> Answer) {
        self.queries = queries
        self.read = read
    }
}

extension Inquiry where Answer == Void {
    /// Asks nothing.
    package static var nothing: Inquiry { Inquiry([]) { _ in } }
}

extension Reader {
    package func ask<Answer>(_ inquiry: Inquiry<Answer>) async throws -> Answer {
        try inquiry.read(try await pipeline(inquiry.queries))
    }

    func ask<First, Second>(_ first: Inquiry<First>, _ second: Inquiry<Second>) async throws -> (First, Second) {
        let rows = try await pipeline(first.queries + second.queries)
        let (mine, others) = (rows.prefix(first.queries.count), rows.dropFirst(first.queries.count))
        return (try first.read(Array(mine)), try second.read(Array(others)))
    }
}
