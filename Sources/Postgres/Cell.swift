/// One column of one row, as the server sent it.
package struct Cell {
    package let type: PostgresType
    /// Good for as long as the result is, which we hold; only for this module's own decoding.
    let unsafeBytes: UnsafeRawBufferPointer?
    private let result: PGResult
    private let column: Int

    @inline(__always)
    init(type: PostgresType, bytes: UnsafeRawBufferPointer?, result: PGResult, column: Int) {
        self.type = type
        unsafeBytes = bytes
        self.result = result
        self.column = column
    }

    package var isNull: Bool { unsafeBytes == nil }

    /// Lends the value's bytes, which are in network order and not aligned; throws when the column is NULL.
    ///
    /// The pointer must not leave the closure.
    @inline(__always)
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) throws -> Value {
        guard let bytes = unsafeBytes else { throw mismatch("is NULL") }
        return try body(bytes)
    }

    /// A part of this cell as a cell of its own: an element of an array.
    func lending(_ bytes: UnsafeRawBufferPointer, as type: PostgresType) -> Cell {
        Cell(type: type, bytes: bytes, result: result, column: column)
    }

    /// A fixed-width integer in network order; throws when the column is NULL or of another width.
    @inline(__always)
    package func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value {
        try withBytes { bytes in
            guard bytes.count == MemoryLayout<Value>.size else {
                throw mismatch("has \(bytes.count) bytes, not \(MemoryLayout<Value>.size)")
            }
            return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
        }
    }

    /// The error to throw when the column does not hold what was asked for.
    package func mismatch(_ complaint: String) -> PostgresError {
        PostgresError(.decoding, "column \(column) (\(result.columnName(column)), type \(type.rawValue)) \(complaint)")
    }
}
