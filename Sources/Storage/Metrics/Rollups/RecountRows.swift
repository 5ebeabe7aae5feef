import Billing
import Foundation
import Postgres

/// Rows for a recount's tables, in the binary form of COPY.
struct RecountRows {
    /// For `made`: what is added to the metrics.
    private var entries = CopyBytes()
    /// For `made_rows`: what of it a customer adds.
    private var rows = CopyBytes()

    /// - Parameter added: each with the business day on which it is known.
    mutating func add(_ added: [(entry: MetricsEntry, known: BusinessDay)], of customer: Customer.ID) throws {
        for (entry, known) in added {
            try entries.add(entry, known: known, of: nil)
            if entry.measure.hasRows { try rows.add(entry, known: known, of: customer) }
        }
    }

    func write(to connection: Connection) async throws {
        try await entries.write(
            to: connection,
            """
            COPY made (measure, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at, environment)
            FROM STDIN (FORMAT binary)
            """
        )
        try await rows.write(
            to: connection,
            """
            COPY made_rows (measure, day, dimension, product_id, country, currency, recorded_on, amount, count, effective_at, customer_id)
            FROM STDIN (FORMAT binary)
            """
        )
    }
}

/// The bytes of a COPY: a signature, rows of fields behind their lengths, and an end.
private struct CopyBytes {
    private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
    private static let columns: Int16 = 11
    private static let end: Int16 = -1

    private var bytes = signature
    private var isEmpty: Bool { bytes.count == Self.signature.count }

    /// - Parameter customer: nil for a row that says where it was instead.
    mutating func add(_ entry: MetricsEntry, known: BusinessDay, of customer: Customer.ID?) throws {
        Self.columns.encode(into: &bytes)
        try add(entry.measure.rawValue)
        try add(entry.day)
        try add(Int16(clamping: entry.dimension))
        try add(entry.cell.product)
        try add(entry.cell.country)
        try add(entry.cell.currency?.code ?? "")
        try add(known)
        try add(entry.amount)
        try add(Int64(entry.count))
        try add(entry.effectiveAt)
        if let customer { try add(customer.uuid) } else { try add("production") }
    }

    private mutating func add(_ value: some PostgresEncodable) throws {
        let start = bytes.count
        Int32(0).encode(into: &bytes)
        try value.encode(into: &bytes)
        let length = UInt32(clamping: bytes.count - start - 4)
        for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place)) }
    }

    func write(to connection: Connection, _ copy: Query) async throws {
        guard !isEmpty else { return }
        var bytes = bytes
        Self.end.encode(into: &bytes)
        _ = try await connection.copyIn(copy) { [bytes] in try await $0.write(bytes) }
    }
}
