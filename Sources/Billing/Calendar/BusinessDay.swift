package import Foundation

/// A calendar day in an app's business time zone: what "today", order numbers and charts go by (product.md, decision 13).
package struct BusinessDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// - Precondition: the calendar has such a day.
    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day that it is at `date` in `zone`.
    package init(_ date: Date, in zone: TimeZone) {
        let parts = BusinessDay.calendar(in: zone).dateComponents([.year, .month, .day], from: date)
        year = parts.year ?? 1
        month = parts.month ?? 1
        day = parts.day ?? 1
    }

    /// The days that can be named from outside: no store sold anything before the first, and a month or a zone more than the last
    /// is still a year of four digits.
    package static let nameable =
        BusinessDay(year: 1970, month: 1, day: 1)...BusinessDay(year: 2999, month: 12, day: 31)

    /// The reason that a text cannot be read as a day.
    package enum Unreadable: Error, Hashable {
        /// It has another format, or the calendar has no such day.
        case notADay
        case beforeFirst
        case afterLast
    }

    /// Reads "2024-12-15" or "20241215"; nil for a day that the calendar does not have, and for one that is not nameable.
    package init?(_ text: some StringProtocol) {
        guard let day = try? BusinessDay(reading: text) else { return nil }
        self = day
    }

    /// Reads "2024-12-15" or "20241215".
    package init(reading text: some StringProtocol) throws(Unreadable) {
        let characters = Array(text.utf8)
        var digits = characters
        if characters.count == 10, characters[4] == UInt8(ascii: "-"), characters[7] == UInt8(ascii: "-") {
            digits.remove(at: 7)
            digits.remove(at: 4)
        }
        guard
            digits.count == 8, digits.allSatisfy({ (48...57).contains($0) }),
            let number = Int(String(decoding: digits, as: UTF8.self))
        else { throw .notADay }
        (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        guard (1...12).contains(month), (1...BusinessDay.length(ofMonth: month, year: year)).contains(day) else {
            throw .notADay
        }
        guard self >= BusinessDay.nameable.lowerBound else { throw .beforeFirst }
        guard self <= BusinessDay.nameable.upperBound else { throw .afterLast }
    }

    /// The moment the day begins in `zone`: usually midnight, later where clocks skip it.
    package func start(in zone: TimeZone) -> Date {
        let calendar = BusinessDay.calendar(in: zone)
        let noon = calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12))
        return noon.map(calendar.startOfDay(for:)) ?? .distantPast
    }

    /// The moment the next day begins in `zone`.
    package func end(in zone: TimeZone) -> Date {
        BusinessDay(start(in: zone).addingTimeInterval(36 * 3_600), in: zone).start(in: zone)
    }

    /// "2024-12-15"
    package var description: String {
        "\(BusinessDay.pad(year, to: 4))-\(BusinessDay.pad(month, to: 2))-\(BusinessDay.pad(day, to: 2))"
    }

    /// "20241215", as order numbers have it.
    package var compactText: String {
        BusinessDay.pad(year * 10_000 + month * 100 + day, to: 8)
    }

    package static func < (left: BusinessDay, right: BusinessDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    static func pad(_ number: Int, to length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.count)) + digits
    }

    private static func calendar(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
