import Billing
import Foundation
import Testing

@Suite("Reporting periods") struct ReportingPeriodTests {
    @Test("a day's number is that of the calendar, and back, for four hundred years")
    func numbers() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for number in stride(from: -60_000, through: 90_000, by: 1) {
            let day = BusinessDay(number: number)
            #expect(day.number == number)
            guard number.isMultiple(of: 97) else { continue }
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            #expect(BusinessDay(date, in: .gmt) == day)
            #expect(day.weekday == (calendar.component(.weekday, from: date) + 5) % 7 + 1)
        }
    }

    @Test("weeks are those of ISO 8601: they begin on Monday and belong to the year of their Thursday")
    func weeks() throws {
        let calendar = Calendar(identifier: .iso8601)
        for number in stride(from: 0, through: 40_000, by: 3) {
            let day = BusinessDay(number: number)
            let noon = day.start(in: calendar.timeZone).addingTimeInterval(43_200)
            let expected = (
                calendar.component(.yearForWeekOfYear, from: noon), calendar.component(.weekOfYear, from: noon)
            )
            #expect(day.isoWeek == expected)
            let week = ReportingPeriod(.week, containing: day)
            #expect(week.first.weekday == 1 && week.last.number - week.first.number == 6)
            #expect(week.first <= day && day <= week.last)
        }
    }

    @Test("periods follow each other without a gap and lead back", arguments: ReportingPeriod.Grain.allCases)
    func sequence(_ grain: ReportingPeriod.Grain) throws {
        var period = ReportingPeriod(grain, containing: try #require(BusinessDay("2023-12-28")))
        let start = period
        for step in 1...800 {
            #expect(period.next.first == period.last.advanced(by: 1))
            #expect(period.next.previous == period)
            period = period.next
            #expect(period.earlier(by: step) == start)
            #expect(start.earlier(by: -step) == period)
        }
    }

    @Test("a month before January is of the year before")
    func monthsAcrossYears() throws {
        let january = ReportingPeriod(.month, containing: try #require(BusinessDay("2026-01-31")))
        #expect(january.earlier(by: 1).first.description == "2025-12-01")
        #expect(january.earlier(by: 11).last.description == "2025-02-28")
        #expect(january.earlier(by: 23).last.description == "2024-02-29")
    }

    @Test("a period is unfinished until its last day is over")
    func unfinished() throws {
        let november = ReportingPeriod(.month, containing: try #require(BusinessDay("2026-11-22")))
        #expect(november.isPartial(on: try #require(BusinessDay("2026-11-30"))))
        #expect(!november.isPartial(on: try #require(BusinessDay("2026-12-01"))))
    }
}
