package import Foundation

/// `timestamptz`: microseconds since 2000-01-01 UTC, kept exactly both ways; a Date is rounded to the microsecond.
extension Date: PostgresCodable {
    package static var postgresType: PostgresType { .timestamptz }

    package func encode(into bytes: inout [UInt8]) throws {
        let microseconds = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard let exact = Int64(exactly: microseconds), Self.range.contains(exact) else {
            throw PostgresError(.encoding, "\(self) is outside the range of timestamptz")
        }
        bytes.append(bigEndian: exact + Self.referenceOffset)
    }

    package init(postgres cell: Cell) throws {
        guard cell.type == .timestamptz || cell.type == .timestamp else { throw cell.mismatch("is no timestamp") }
        let microseconds = try cell.integer(Int64.self)
        guard microseconds != .max, microseconds != .min else { throw cell.mismatch("is infinite") }
        self.init(timeIntervalSinceReferenceDate: Double(microseconds &- Self.referenceOffset) / 1_000_000)
    }

    /// From PostgreSQL's epoch, 2000-01-01, to Foundation's, 2001-01-01: 366 days.
    private static let referenceOffset: Int64 = 366 * 86_400 * 1_000_000
    /// From 4000 years before Foundation's epoch to 10,000 after it: well inside what PostgreSQL takes, and beyond any date of four
    /// digits, so that no day that can be written down is refused here.
    private static let range: ClosedRange<Int64> = -126_000_000_000_000_000...315_600_000_000_000_000
}

extension Date: PostgresArrayElement {}
