extension BusinessDay {
    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    package var number: Int { BusinessDay.number(year: year, month: month, day: day) }

    /// The same for a day that is not one yet; a day that the calendar lacks runs over into the next month.
    package static func number(year: Int, month: Int, day: Int) -> Int {
        // Counted from March, so that the leap day ends the year.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * month + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day with this count since 1970-01-01.
    package init(number: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
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
