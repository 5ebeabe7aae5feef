package import Foundation

/// The columns of one row, read one after the other.
///
/// Each column's type is known when the program is built. `Row.decode` of many types at once leaves that to run time, which costs
/// half as much as the rest of a page of a list.
package struct RowColumns {
    private let result: PGResult
    private let row: Int
    private var column = 0

    init(result: PGResult, row: Int) {
        self.result = result
        self.row = row
    }

    /// A value of any type that a column can be read as.
    package mutating func next<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws -> Value {
        try Value(postgres: cell())
    }

    package mutating func next() throws -> String { try String(postgres: cell()) }

    package mutating func next() throws -> String? {
        let cell = try cell()
        return cell.isNull ? nil : try String(postgres: cell)
    }

    package mutating func next() throws -> Int64 { try Int64(postgres: cell()) }

    package mutating func next() throws -> Date { try Date(postgres: cell()) }

    package mutating func next() throws -> UUID { try UUID(postgres: cell()) }

    /// The next column; at most as many as the row has.
    private mutating func cell() throws -> Cell {
        guard column < result.columnCount else {
            throw PostgresError(.decoding, "the row has \(result.columnCount) columns only")
        }
        defer { column += 1 }
        return result.cell(row: row, column: column)
    }
}
