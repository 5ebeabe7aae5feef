import Billing
import Foundation
import Postgres

/// A whole list as a file: which rows, and how each column is written.
package struct ListExport: Sendable {
    let columns: [Column]
    /// Gives the columns in order; an amount's currency follows it.
    let rows: Query

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
    }

    enum Kind: Sendable {
        case text
        case time
        /// Minor units of the currency in the next column.
        case amount
    }

    /// - Parameter from: what follows the columns: `FROM … WHERE … ORDER BY …`.
    init(_ columns: [Column], from: Query) {
        self.columns = columns
        let list = columns.dropFirst().reduce(columns[0].expression) { "\($0), \($1.expression)" }
        rows = "SELECT \(list) \(from)"
    }

    /// The heading of each column.
    package var headings: [String] { columns.map(\.name) }
}

extension Database {
    /// Streams an export, piece by piece; when whoever takes the pieces is slow, the database waits.
    ///
    /// - Parameters:
    ///   - offset: seconds east of UTC at a moment in seconds since 1970.
    ///   - write: takes the next piece and how many rows are in all pieces up to it.
    package func export(
        _ list: ListExport,
        offset: @Sendable (Int) -> Int,
        _ write: ([UInt8], Int) async throws -> Void
    ) async throws {
        try await read { reader in
            try await reader.pool.withTransaction { connection in
                _ = try await connection.query("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)")
                var text = CSVText()
                for heading in list.headings { text.text(heading.utf8) }
                text.endRow()
                var piece = CSVText.byteOrderMark + text.take()
                var count = 0
                for try await row in try await connection.stream(list.rows) {
                    try list.write(row, to: &text, offset: offset)
                    count += 1
                    guard text.bytes.count >= Self.pieceSize else { continue }
                    try await write(piece + text.take(), count)
                    piece = []
                }
                try await write(piece + text.take(), count)
            }
        }
    }

    private static var pieceSize: Int { 32_768 }
}

extension ListExport {
    func write(_ row: Row, to text: inout CSVText, offset: (Int) -> Int) throws {
        for (index, column) in columns.enumerated() {
            switch column.kind {
            case .text:
                try row.withBytes(of: index) { bytes in
                    if let bytes { text.text(bytes) } else { text.nothing() }
                }
            case .time:
                guard let date = try row.decode(index, as: Date?.self) else {
                    text.nothing()
                    continue
                }
                text.time(date, offset: offset(Int(date.timeIntervalSince1970.rounded(.down))))
            case .amount:
                guard let amount = try row.decode(index, as: Int64?.self),
                    let currency = try row.decode(index + 1, as: Currency?.self)
                else {
                    text.nothing()
                    continue
                }
                text.amount(amount, digits: currency.digits)
            }
        }
        text.endRow()
    }
}
