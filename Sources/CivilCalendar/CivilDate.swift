/// A day by the proleptic Gregorian calendar, without a time or a zone, and how it is counted: the one place where the
/// program does this arithmetic.
///
/// Years are counted from March, so that the leap day ends them; 400 of them have 146,097 days (Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", days_from_civil and civil_from_days).
package struct CivilDate: Hashable, Sendable {
    package let year: Int
    /// 1 to 12
    package let month: Int
    /// 1 to 31
    package let day: Int

    /// - Parameter days: days since 1970-01-01; within 10^15 of it.
    @inlinable
    package init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; a day that the calendar lacks runs over into the next month.
    ///
    /// - Parameters:
    ///   - year: within 10^12 of 0.
    ///   - month: 1 to 12.
    @inlinable
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let cycle = (year >= 0 ? year : year - 399) / 400
        let yearOfCycle = year - cycle * 400
        let dayOfYear = (153 * month + 2) / 5 + day - 1
        return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
    }
}

extension Int {
    /// Rounds towards the past, also before 1970.
    ///
    /// - Parameter divisor: above 0.
    @inlinable
    package func flooredQuotientAndRemainder(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
