import Billing
import Foundation
import Postgres

/// A whole list as a file: which rows, and how each column is written.
package struct ListExport: Sendable {
    let columns: [Column]
    /// Gives the columns in order; an amount's currency follows it.
    let rows: Query
    /// True if an index has all rows in the list's order, and they lie close together in the table.
    let isInIndexOrder: Bool

    struct Column: Sendable {
        var name: String
        var kind: Kind
        /// The column's place in the statement's expression.
        var expression: Query

        init(_ name: String, _ kind: Kind, _ expression: Query) {
            self.name = name
            self.kind = kind
            self.expression = expression
        }

        /// The expression in the type that `CopiedRows` reads.
        var cast: Query {
            switch kind {
            case .text, .personal, .plain: "(\(expression))::text"
            case .id: "(\(expression))::uuid"
            case .time: "(\(expression))::timestamptz"
            case .amount: "(\(expression))::bigint"
            }
        }
    }

    enum Kind: Sendable {
        case text
        /// Text that tells who a customer is: a column that is missing for those who may not know.
        case personal
        /// One of our keys.
        case id
        case time
        /// A number or a day as text: nothing that somebody wrote.
        case plain
        /// Minor units of the currency in the next column.
        case amount
    }

    /// - Parameters:
    ///   - seesPersonalData: without it the columns of names and e-mail addresses are missing.
    ///   - from: the rest of the statement after the columns: `FROM … WHERE … ORDER BY …`.
    init(_ columns: [Column], seesPersonalData: Bool, from: Query, isInIndexOrder: Bool = false) {
        let columns = columns.filter { seesPersonalData || $0.kind != .personal }
        self.columns = columns
        self.isInIndexOrder = isInIndexOrder
        let list = columns.dropFirst().reduce(columns[0].cast) { "\($0), \($1.cast)" }
        rows = "SELECT \(list) \(from)"
    }

    /// The heading of each column.
    package var headings: [String] { columns.map(\.name) }
}

extension Database {
    /// Streams an export, piece by piece; when the consumer is slow, the database waits. It has a connection of the
    /// exports' own, from which no page is read, and an hour.
    ///
    /// The first piece comes as soon as the first row is there, or the end.
    ///
    /// - Parameters:
    ///   - fromPrimary: that no replica will do, as for what is kept.
    ///   - offset: seconds east of UTC at a moment in seconds since 1970.
    ///   - write: takes the next piece and how many rows are in all pieces up to it.
    package func export(
        _ list: ListExport,
        fromPrimary: Bool = false,
        offset: @Sendable (Int) -> Int,
        _ write: ([UInt8], Int) async throws -> Void
    ) async throws {
        try await BackgroundWork.inTurn(at: \.exports) {
            if !fromPrimary, let replica = usableReplica() {
                do {
                    return try await copy(list, on: replica.exporting, of: replica, offset: offset, write)
                } catch is Replica.WillNotDo {
                    // Nothing was read yet.
                }
            }
            try await copy(list, on: exporting, of: nil, offset: offset, write)
        }
    }

    /// - Throws: `Replica.WillNotDo` before the first piece.
    private func copy(
        _ list: ListExport,
        on pool: Pool,
        of replica: Replica?,
        offset: @Sendable (Int) -> Int,
        _ write: ([UInt8], Int) async throws -> Void
    ) async throws {
        // A COPY is a transaction of its own, which PostgreSQL ends behind the last row. Around it another would stand
        // idle, and hold up vacuum, for as long as a slow taker has our buffers to empty.
        try await pool.withConnection { connection in
            try await replica?.check(connection)
            var rows = CopiedRows(of: list)
            let pieces = try await connection.copyOut(
                rows: list.rows,
                options: "FORMAT binary",
                after: list.isInIndexOrder ? Self.readsInIndexOrder : nil,
                timeout: Self.longestExport
            )
            var isFirst = true
            for try await piece in pieces {
                try rows.add(piece, offset: offset)
                guard rows.text.bytes.count >= Self.pieceSize || isFirst && rows.count > 0 else { continue }
                isFirst = false
                try await write(rows.text.take(), rows.count)
            }
            try rows.finish()
            try await write(rows.text.take(), rows.count)
        }
    }

    /// Rows come as the index has them, so that the first is sent at once and nothing is sorted on disk: else
    /// PostgreSQL would read, join and sort all of them first, with several processes. It remembers whom it has joined.
    private static let readsInIndexOrder: Query = """
        SELECT set_config('enable_sort', 'off', true), set_config('work_mem', '64MB', true),
            set_config('max_parallel_workers_per_gather', '0', true)
        """

    private static var pieceSize: Int { 131_072 }

    /// A longer read would keep PostgreSQL from vacuuming behind everybody else.
    private static let longestExport = Duration.seconds(3_600)
}
