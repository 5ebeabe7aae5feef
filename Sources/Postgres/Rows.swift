/// The whole result of a statement, held in memory as libpq received it; rows are decoded when they are read.
package struct Rows: RandomAccessCollection, Sendable {
    private let result: PGResult

    init(result: PGResult) {
        self.result = result
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { result.rowCount }
    package var columnCount: Int { result.columnCount }

    /// The rows that were inserted, changed, deleted or selected.
    package var affectedRows: Int { result.affectedRows }

    /// The server's command tag, for example `INSERT 0 1`; after a failed transaction COMMIT says `ROLLBACK`.
    var commandTag: String { result.commandTag }

    package subscript(position: Int) -> Row {
        // safe: asked for as every collection is; no place comes from outside
        precondition(indices.contains(position), "row \(position) of \(result.rowCount)")
        return Row(result: result, index: position)
    }
}
