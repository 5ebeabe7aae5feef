/// One row of a result, read by position or by column name.
package struct Row: Sendable {
    private let result: PGResult
    private let index: Int

    @inline(__always)
    init(result: PGResult, index: Int) {
        self.result = result
        self.index = index
    }

    package var columnCount: Int { result.columnCount }

    /// All columns in order; the count must match: `let (id, name) = try row.decode(UUID.self, String?.self)`.
    package func decode<each Value: PostgresDecodable>(
        _ type: repeat (each Value).Type
    ) throws -> (repeat each Value) {
        var count = 0
        for _ in repeat (each type) { count += 1 }
        guard count == result.columnCount else {
            throw PostgresError(.decoding, "the row has \(result.columnCount) columns, not \(count)")
        }
        var column = -1
        func next<Column: PostgresDecodable>(_ type: Column.Type) throws -> Column {
            column += 1
            return try Column(postgres: result.cell(row: index, column: column))
        }
        return (repeat try next((each Value).self))
    }

    /// The columns one after the other; there must be as many.
    package func columns(_ count: Int) throws -> RowColumns {
        guard count == result.columnCount else {
            throw PostgresError(.decoding, "the row has \(result.columnCount) columns, not \(count)")
        }
        return RowColumns(result: result, row: index)
    }

    /// The only column.
    package func decode<Value: PostgresDecodable>(_ type: Value.Type) throws -> Value {
        guard result.columnCount == 1 else {
            throw PostgresError(.decoding, "the row has \(result.columnCount) columns, not 1")
        }
        return try Value(postgres: result.cell(row: index, column: 0))
    }

    /// One column by position, the first is 0.
    package func decode<Value: PostgresDecodable>(_ column: Int, as type: Value.Type = Value.self) throws -> Value {
        guard (0..<result.columnCount).contains(column) else {
            throw PostgresError(.decoding, "there is no column \(column), the row has \(result.columnCount)")
        }
        return try Value(postgres: result.cell(row: index, column: column))
    }

    /// One column by its exact name.
    package func decode<Value: PostgresDecodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let position = result.column(named: column) else {
            throw PostgresError(.decoding, "there is no column named \(column)")
        }
        return try decode(position)
    }

    /// Lends the raw bytes of a column, nil for NULL; the pointer must not leave the closure.
    package func withBytes<Value>(
        of column: Int,
        _ body: (UnsafeRawBufferPointer?) throws -> Value
    ) throws -> Value {
        guard (0..<result.columnCount).contains(column) else {
            throw PostgresError(.decoding, "there is no column \(column), the row has \(result.columnCount)")
        }
        let cell = result.cell(row: index, column: column)
        guard !cell.isNull else { return try body(nil) }
        return try cell.withBytes { try body($0) }
    }
}
