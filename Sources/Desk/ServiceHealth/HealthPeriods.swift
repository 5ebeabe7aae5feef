import Billing
import Foundation
import HTTP
import Storage
import Words

extension ChartPeriods {
    /// The hours or days of a stretch of time, the last of them under way.
    init(_ span: HealthSpan, from starts: [Date], _ viewer: Viewer) {
        guard span.isByHour else {
            self.init(days: starts.map { viewer.day(of: $0) }, viewer.strings)
            return
        }
        self.init(
            by: .hour,
            starts.enumerated().map { index, start in
                let text = DateText(start, in: viewer.zone, viewer.strings)
                // At the right edge there is no room for a day.
                let isFirst =
                    index == 0
                    || index < starts.count - 3
                        && DateText.day(starts[index - 1], in: viewer.zone, viewer.strings) != text.day
                let hour = text.clock.hasSuffix(":00") ? String(text.clock.prefix(2)) : text.clock
                return ChartPeriod(
                    label: hour,
                    group: isFirst ? text.day : nil,
                    name: viewer.strings.healthHour(day: text.day, hour: hour),
                    isPartial: index == starts.count - 1
                )
            }
        )
    }

    /// Some business days, the last of them under way.
    init(days: [BusinessDay], _ strings: Strings) {
        self.init(
            days.map { ReportingPeriod(.day, containing: $0) },
            today: days.last ?? BusinessDay(number: 0),
            strings
        ) { _ in nil }
    }
}

extension Viewer {
    /// The business day of a moment.
    fileprivate func day(of moment: Date) -> BusinessDay {
        let seconds = moment.wholeSeconds
        return BusinessDay(number: (seconds + zone.offset(at: seconds)) / 86_400)
    }
}
