import Billing
import HTTP
import Storage
import Words

/// A reporting period in words.
struct PeriodText: Sendable {
    /// Below an axis: "21", "W47", "Nov".
    let label: String
    /// The group that a label belongs to: the month of a day, the year of a week or month.
    let group: String
    /// True for the first of its group.
    let startsGroup: Bool
    /// In full: "21 Nov 2026", "Week 47 of 2026", "Nov 2026".
    let name: String

    init(_ period: ReportingPeriod, _ strings: Strings) {
        let first = period.first
        guard !period.isCut else {
            // By the days that are left of it.
            label = first == period.last ? String(first.day) : "\(first.day)–\(period.last.day)"
            group = PeriodText.month(of: first, strings)
            startsGroup = true
            name = PeriodText.days(first, through: period.last, strings)
            return
        }
        switch period.grain {
        case .day:
            label = String(first.day)
            group = PeriodText.month(of: first, strings)
            startsGroup = first.day == 1
            name = PeriodText.day(first, strings)
        case .week:
            let (year, week) = first.isoWeek
            label = strings.analyticsWeekShort(week: String(week))
            group = String(year)
            startsGroup = week == 1
            name = strings.analyticsWeek(from: PeriodText.day(first, strings), week: String(week), year: String(year))
        case .month:
            label = PeriodText.shortMonth(first, strings)
            group = String(first.year)
            startsGroup = first.month == 1
            name = PeriodText.month(of: first, strings)
        }
    }

    /// "10 Sep 2026 – 12 Sep 2026"
    static func days(_ first: BusinessDay, through last: BusinessDay, _ strings: Strings) -> String {
        first == last ? day(first, strings) : "\(day(first, strings)) – \(day(last, strings))"
    }

    /// The days of some periods, from the oldest on; empty for none.
    static func days(of periods: [ReportingPeriod], _ strings: Strings) -> String {
        guard let first = periods.first, let last = periods.last else { return "" }
        return days(first.first, through: last.last, strings)
    }

    /// "21 Nov 2026"
    static func day(_ day: BusinessDay, _ strings: Strings) -> String {
        CivilTime(local: day.number * 86_400).dayText(strings)
    }

    /// "Nov 2026", "2026年11月"
    private static func month(of day: BusinessDay, _ strings: Strings) -> String {
        let month = shortMonth(day, strings)
        return strings.language == .chinese ? "\(day.year)年\(month)" : "\(month) \(day.year)"
    }

    private static func shortMonth(_ day: BusinessDay, _ strings: Strings) -> String {
        switch strings.language {
        case .english: CivilTime.englishMonths[day.month - 1].description  // safe: 1 to 12 by its init
        case .turkish: CivilTime.turkishMonths[day.month - 1].description  // safe: as above
        case .chinese: "\(day.month)月"
        }
    }
}

extension ChartPeriods {
    /// - Parameter href: the rows behind a period.
    init(_ periods: [ReportingPeriod], today: BusinessDay, _ strings: Strings, href: (ReportingPeriod) -> String?) {
        let grain: Grain =
            switch periods.first?.grain {
            case .day: .day
            case .week: .week
            case .month, nil: .month
            }
        self.init(
            by: grain,
            periods.enumerated().map { index, period in
                let text = PeriodText(period, strings)
                return ChartPeriod(
                    label: text.label,
                    group: index == 0 || text.startsGroup ? text.group : nil,
                    name: text.name,
                    href: href(period),
                    isPartial: period.isPartial(on: today)
                )
            }
        )
    }
}
