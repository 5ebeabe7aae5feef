package import Billing
import HTTP
package import Storage
import Words

/// The periods of a chart and those that they are compared with.
package struct RevenueSpan: Hashable, Sendable {
    /// From the oldest on; the first and the last are cut where the days that were asked for are. Of a chart at most 31: each is a link.
    package let periods: [ReportingPeriod]
    /// The last day that the metrics know of.
    package let today: BusinessDay
    /// The day that is not over yet: as of a day in the past the one after it.
    package let running: BusinessDay
    /// The reason why these are not the periods that were asked for; nil when they are.
    package let problem: Problem?

    package enum Problem: Hashable, Sendable {
        /// The first day was after the last.
        case reversed
        /// There were more periods than a chart shows.
        case tooMany(Int, of: ReportingPeriod.Grain)
    }

    package static let most = 31

    /// - Parameters:
    ///   - running: the day that is not over yet; nil: that is today.
    ///   - isChart: true if there may be no more periods than a chart can show; of a file there may be any number.
    package init(_ view: RevenueView, today: BusinessDay, running: BusinessDay? = nil, isChart: Bool = true) {
        (self.today, self.running) = (today, running ?? today)
        var (asked, problem) = (view, Problem?.none)
        if let from = view.from, let to = view.to, from > to {
            (asked.from, asked.to) = (nil, nil)
            problem = .reversed
        }
        var grain = asked.grain
        var periods = Self.periods(of: asked, by: grain, today: today)
        if isChart, periods.count > Self.most {
            problem = .tooMany(periods.count, of: grain)
            while periods.count > Self.most, let longer = grain.longer {
                grain = longer
                periods = Self.periods(of: asked, by: grain, today: today)
            }
            periods = Array(periods.suffix(Self.most))
        }
        self.periods = periods
        self.problem = problem
    }

    /// The periods of a view as the metrics of a filter know them.
    ///
    /// - Parameter today: that of the app's clock.
    package init(_ view: RevenueView, in filter: MetricsFilter, on today: BusinessDay, isChart: Bool = true) {
        self.init(
            view,
            today: filter.lastDay(today: today),
            running: filter.runningDay(today: today),
            isChart: isChart
        )
    }

    private static func periods(
        of view: RevenueView,
        by grain: ReportingPeriod.Grain,
        today: BusinessDay
    ) -> [ReportingPeriod] {
        let last = ReportingPeriod(grain, containing: min(view.to ?? today, today.advanced(by: 366)))
        let through = min(view.to ?? last.last, last.last)
        // No more than a hundred years of days, whatever the address says.
        let earliest = through.advanced(by: -MetricDefinitions.longestReport)
        let from = view.from ?? last.earlier(by: grain.usualCount - 1).first
        return ReportingPeriod.all(grain, from: min(max(from, earliest), through), through: through)
    }

    /// As many periods, right before: for twelve months the same months a year before.
    package func previous(of period: ReportingPeriod) -> ReportingPeriod { period.earlier(by: periods.count) }

    package var first: BusinessDay { periods.first?.first ?? today }
    package var last: BusinessDay { periods.last?.last ?? today }
    package var grain: ReportingPeriod.Grain { periods.first?.grain ?? .month }

    /// The first day of what has to be read: of what the periods are compared with, unless the first of them is cut, of which there is no
    /// equal.
    package var previousFirst: BusinessDay {
        guard let oldest = periods.first, !oldest.isCut else { return first }
        return previous(of: oldest).first
    }

    /// Of what an unfinished period is compared with, the days that have passed of the period itself; nil when all are
    /// over, and of a part of a period.
    package var partOfPrevious: (from: BusinessDay, through: BusinessDay)? {
        guard let open = periods.first(where: { $0.isPartial(on: running) && $0.first <= today }), !open.isCut else {
            return nil
        }
        let before = previous(of: open)
        let passed = today.number - open.first.number
        return (before.first, min(before.first.advanced(by: passed), before.last))
    }
}

extension RevenueSpan.Problem {
    /// "“From” is after “To”: …"
    func text(_ shown: RevenueSpan, _ strings: Strings) -> String {
        switch self {
        case .reversed: return strings.analyticsReversed.description
        case .tooMany(let number, of: let grain):
            let (count, most) = (strings.number(number), String(RevenueSpan.most))
            return switch (grain, shown.grain) {
            case (.day, .week): strings.analyticsTooManyDaysByWeek(count: count, most: most)
            case (.day, _): strings.analyticsTooManyDaysByMonth(count: count, most: most)
            case (.week, _): strings.analyticsTooManyWeeks(count: count, most: most)
            case (.month, _): strings.analyticsTooManyMonths(count: count, most: most)
            }
        }
    }
}

extension ReportingPeriod.Grain {
    fileprivate var longer: Self? {
        switch self {
        case .day: .week
        case .week: .month
        case .month: nil
        }
    }
}
