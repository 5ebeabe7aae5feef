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

    /// Hinnant's civil_from_days.
    init(daysSince2000 days: Int) {
        let shifted = days + 730_425
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var description: String {
        let (month, day) = (month < 10 ? "0\(month)" : "\(month)", day < 10 ? "0\(day)" : "\(day)")
        return String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)-\(month)-\(day)"
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// Hinnant's days_from_civil.
    private static func daysSince2000(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_425
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
