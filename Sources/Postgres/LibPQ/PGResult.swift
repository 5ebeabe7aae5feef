import CLibPQ
import Foundation

/// A result of libpq. Sendable because libpq's getters never change it and it is cleared only when nobody holds it.
final class PGResult: @unchecked Sendable {
    enum Status {
        case done
        case rows
        case singleRow
        case copyOut
        case copyIn
        case failed
        case synced
        case aborted
        case unexpected
    }

    private let raw: OpaquePointer
    let status: Status
    let rowCount: Int
    let columnCount: Int

    init(_ raw: OpaquePointer) {
        self.raw = raw
        status = Status(PQresultStatus(raw))
        rowCount = Int(PQntuples(raw))
        columnCount = Int(PQnfields(raw))
    }

    deinit {
        PQclear(raw)
    }

    var message: ServerMessage { ServerMessage(reading: raw) }
    var affectedRows: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }
    var commandTag: String { String(cString: PQcmdStatus(raw)) }

    /// The first cell of what was asked for as text; nil for NULL.
    var firstText: String? {
        guard PQgetisnull(raw, 0, 0) == 0, let value = PQgetvalue(raw, 0, 0) else { return nil }
        return String(cString: value)
    }

    // safe: as many columns as a query has
    func columnName(_ column: Int) -> String { PQfname(raw, Int32(column)).map { String(cString: $0) } ?? "?" }

    func column(named name: String) -> Int? {
        // safe: columns, as above
        (0..<columnCount).first { PQfname(raw, Int32($0)).map { strcmp($0, name) == 0 } ?? false }
    }

    /// A look at one cell. It holds on to this result, so its bytes, which are not aligned, live as long as it does.
    @inline(__always)
    func cell(row: Int, column: Int) -> Cell {
        let (row, position) = (Int32(row), Int32(column))  // safe: libpq counts both so itself
        let length = Int(PQgetlength(raw, row, position))
        // NULL has no bytes, and most of what has some is asked no more.
        let isNull = length == 0 && PQgetisnull(raw, row, position) != 0
        let bytes = UnsafeRawBufferPointer(start: PQgetvalue(raw, row, position), count: length)
        return Cell(
            type: PostgresType(rawValue: PQftype(raw, position)),
            bytes: isNull ? nil : bytes,
            result: self,
            column: column
        )
    }
}

extension PGResult.Status {
    fileprivate init(_ status: ExecStatusType) {
        switch status {
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: self = .done
        case PGRES_TUPLES_OK: self = .rows
        case PGRES_SINGLE_TUPLE: self = .singleRow
        case PGRES_COPY_OUT: self = .copyOut
        case PGRES_COPY_IN: self = .copyIn
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: self = .failed
        case PGRES_PIPELINE_SYNC: self = .synced
        case PGRES_PIPELINE_ABORTED: self = .aborted
        default: self = .unexpected
        }
    }
}

extension ServerMessage {
    init(reading result: OpaquePointer) {
        func field(_ code: Character) -> String? {
            PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }  // safe: wider
        }
        // The codes of PG_DIAG_*, which are character macros and do not reach Swift.
        self.init(
            severity: field("V") ?? field("S") ?? "ERROR",
            primary: field("M") ?? trimmed(PQresultErrorMessage(result)),
            sqlState: field("C").map { SQLState($0) },
            detail: field("D"),
            hint: field("H"),
            table: field("t"),
            column: field("c"),
            constraint: field("n")
        )
    }
}

/// A text of libpq, without the line breaks at its end.
func trimmed(_ message: UnsafePointer<CChar>?) -> String {
    var text = message.map { String(cString: $0) } ?? ""
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
}
