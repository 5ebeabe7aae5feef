import CivilCalendar

extension BusinessDay {
    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    package var number: Int { BusinessDay.number(year: year, month: month, day: day) }

    /// The number of a day that may not exist; a day that the calendar lacks runs over into the next month.
    package static func number(year: Int, month: Int, day: Int) -> Int {
        CivilDate.daysSince1970(year: year, month: month, day: day)
    }

    /// The day with this count since 1970-01-01.
    package init(number: Int) {
        let date = CivilDate(daysSince1970: number)
        self.init(year: date.year, month: date.month, day: date.day)
    }

    package func advanced(by days: Int) -> BusinessDay { BusinessDay(number: number + days) }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    package var weekday: Int { ((number + 3) % 7 + 7) % 7 + 1 }

    /// The year and number of the ISO 8601 week it lies in; the year is that of the week's Thursday.
    package var isoWeek: (year: Int, week: Int) {
        let thursday = advanced(by: 4 - weekday)
        let first = BusinessDay(year: thursday.year, month: 1, day: 1)
        return (thursday.year, (thursday.number - first.number) / 7 + 1)
    }
}
