import CivilCalendar

/// A day of the Gregorian calendar without a time or a zone; `date` in PostgreSQL.
package struct CalendarDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Nil when there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        self.init(daysSince2000: Self.daysSince2000(year: year, month: month, day: day))
        guard (self.year, self.month, self.day) == (year, month, day) else { return nil }
    }

    init(daysSince2000 days: Int) {
        let date = CivilDate(daysSince1970: days + Self.daysFrom1970To2000)  // safe: PostgreSQL has 32 bits of them
        (year, month, day) = (date.year, date.month, date.day)
    }

    package var description: String {
        let (month, day) = (month < 10 ? "0\(month)" : "\(month)", day < 10 ? "0\(day)" : "\(day)")
        return String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)-\(month)-\(day)"
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static let daysFrom1970To2000 = 10_957

    private static func daysSince2000(year: Int, month: Int, day: Int) -> Int {
        CivilDate.daysSince1970(year: year, month: month, day: day) - daysFrom1970To2000
    }
}

extension CalendarDay: PostgresCodable {
    package static var postgresType: PostgresType { .date }

    package func encode(into bytes: inout [UInt8]) throws {
        guard let days = Int32(exactly: Self.daysSince2000(year: year, month: month, day: day)) else {
            throw PostgresError(.encoding, "\(self) is outside the range of date")
        }
        bytes.append(bigEndian: days)
    }

    package init(postgres cell: Cell) throws {
        guard cell.type == .date else { throw cell.mismatch("is no date") }
        let days = try cell.integer(Int32.self)
        guard days != .max, days != .min else { throw cell.mismatch("is infinite") }
        self.init(daysSince2000: Int(days))
    }
}
