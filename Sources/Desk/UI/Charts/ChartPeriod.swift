import Words

/// One stretch of time of a chart: a month, a week, a day.
package struct ChartPeriod: Sendable, Hashable {
    /// Below the axis: "Jan", "1月", "21".
    let label: String
    /// Below that, where another begins: "2026".
    let group: String?
    /// In full: "January 2026".
    let name: String
    /// The list that its number is made of; nil where there is none.
    let href: String?
    /// Its numbers may still change, so they are compared with nothing.
    let isPartial: Bool
    /// The number of a series' values that belong to it: 1, or the days of a month in a line by days.
    let points: Int

    package init(
        label: String,
        group: String? = nil,
        name: String,
        href: String? = nil,
        isPartial: Bool = false,
        points: Int = 1
    ) {
        self.label = label
        self.group = group
        self.name = name
        self.href = href
        self.isPartial = isPartial
        self.points = max(points, 1)
    }
}

/// The time that a chart shows, cut into periods.
package struct ChartPeriods: Sendable, Hashable {
    let grain: Grain
    let all: [ChartPeriod]

    /// The length of a period.
    package enum Grain: Sendable, Hashable {
        case hour
        case day
        case week
        case month
    }

    /// - Parameter all: from the oldest on.
    package init(by grain: Grain, _ all: [ChartPeriod]) {
        self.grain = grain
        self.all = all
    }

    /// "Month"
    func heading(_ strings: Strings) -> StaticString {
        switch grain {
        case .hour: strings.chartsHour
        case .day: strings.chartsDay
        case .week: strings.chartsWeek
        case .month: strings.chartsMonth
        }
    }

    /// "Hover or focus a month for values"
    func hint(_ strings: Strings) -> StaticString {
        switch grain {
        case .hour: strings.chartsHintHour
        case .day: strings.chartsHintDay
        case .week: strings.chartsHintWeek
        case .month: strings.chartsHintMonth
        }
    }

    /// The number of periods at the end that may still change.
    var unfinished: Int { all.reversed().prefix(while: \.isPartial).count }

    /// The ranges of a series' values that belong to each period.
    var ranges: [Range<Int>] {
        var start = 0
        return all.map { period in
            defer { start += period.points }
            return start..<start + period.points
        }
    }
}
