import Billing
import Foundation
import Testing

@Suite("billing periods")
struct BillingPeriodTests {
    @Test(
        "end on the same day and hour, or on the last day that the month has",
        arguments: [
            ("P1M", "2025-01-31 12:00:00", "2025-02-28 12:00:00"),
            ("P1M", "2024-01-31 12:00:00", "2024-02-29 12:00:00"),
            ("P1M", "2025-03-31 00:00:00", "2025-04-30 00:00:00"),
            ("P1M", "2024-12-31 23:59:59", "2025-01-31 23:59:59"),
            ("P1Y", "2024-02-29 08:00:00", "2025-02-28 08:00:00"),
            ("P4Y", "2024-02-29 08:00:00", "2028-02-29 08:00:00"),
            ("P1Y", "2023-03-01 08:00:00", "2024-03-01 08:00:00"),
            ("P3M", "2024-11-30 08:00:00", "2025-02-28 08:00:00"),
            ("P6M", "2025-08-31 08:00:00", "2026-02-28 08:00:00"),
            ("P7D", "2024-02-25 08:00:00", "2024-03-03 08:00:00"),
            ("P1W", "2025-12-29 08:00:00", "2026-01-05 08:00:00"),
            ("P1M", "1900-01-31 08:00:00", "1900-02-28 08:00:00"),
        ],
        ["UTC", "Asia/Shanghai", "Europe/Istanbul", "America/New_York"]
    )
    func ends(_ row: (period: String, start: String, end: String), _ zone: String) throws {
        let zone = try TimeZone.named(zone)
        let period = try #require(BillingPeriod(iso8601: row.period))
        #expect(period.end(from: try .local(row.start, zone), in: zone).local(zone) == row.end)
    }

    @Test("counted from an anchor, the end of the month never drifts")
    func anchored() throws {
        let zone = try TimeZone.named("Asia/Shanghai")
        let anchor = try Date.local("2024-01-31 10:00:00", zone)
        let ends = (1...13).map {
            BillingPeriod(1, .month).end(of: $0, periodsFrom: anchor, in: zone).local(zone).prefix(10)
        }
        #expect(
            ends == [
                "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31", "2024-06-30", "2024-07-31", "2024-08-31",
                "2024-09-30", "2024-10-31", "2024-11-30", "2024-12-31", "2025-01-31", "2025-02-28",
            ]
        )
    }

    @Test("keep the hour across a change of clocks: a day is then 23 or 25 hours")
    func daylightSaving() throws {
        let newYork = try TimeZone.named("America/New_York")
        let spring = try Date.local("2025-03-08 12:00:00", newYork)
        let day = BillingPeriod(1, .day)
        #expect(day.end(from: spring, in: newYork).timeIntervalSince(spring) == 23 * 3_600)
        let autumn = try Date.local("2025-11-01 12:00:00", newYork)
        #expect(day.end(from: autumn, in: newYork).timeIntervalSince(autumn) == 25 * 3_600)
        let shanghai = try TimeZone.named("Asia/Shanghai")
        #expect(day.end(from: spring, in: shanghai).timeIntervalSince(spring) == 24 * 3_600)
    }

    @Test("an hour that the clocks skip is the hour after; an hour that they repeat is the first")
    func skippedAndRepeatedHours() throws {
        let newYork = try TimeZone.named("America/New_York")
        let month = BillingPeriod(1, .month)
        let skipped = month.end(from: try .local("2025-02-09 02:30:00", newYork), in: newYork)
        #expect(skipped.local(newYork) == "2025-03-09 03:30:00")
        let repeated = month.end(from: try .local("2025-10-02 01:30:00", newYork), in: newYork)
        #expect(repeated.timeIntervalSince(try .local("2025-11-02 00:30:00", newYork)) == 3_600)
    }

    @Test("Istanbul's last change of clocks, in 2016, moves the hour no more")
    func istanbul() throws {
        let istanbul = try TimeZone.named("Europe/Istanbul")
        let before = try Date.local("2016-03-15 12:00:00", istanbul)
        let month = BillingPeriod(1, .month)
        #expect(month.end(from: before, in: istanbul).timeIntervalSince(before) == Double(31 * 24 - 1) * 3_600)
        let after = try Date.local("2025-03-15 12:00:00", istanbul)
        #expect(month.end(from: after, in: istanbul).timeIntervalSince(after) == Double(31 * 24) * 3_600)
    }

    @Test("what no calendar holds is the distant future")
    func absurd() {
        let year = BillingPeriod(.max, .year)
        #expect(year.end(of: 2, periodsFrom: .day(0), in: .gmt) == .distantFuture)
        #expect(year.end(from: .day(0), in: .gmt) == .distantFuture)
    }

    @Test(
        "are read from and written as ISO 8601",
        arguments: [
            ("P1M", BillingPeriod(1, .month)), ("P7D", BillingPeriod(7, .day)), ("P1Y", BillingPeriod(1, .year)),
            ("P1W", BillingPeriod(1, .week)), ("P12M", BillingPeriod(12, .month)),
        ]
    )
    func iso8601(_ text: String, _ period: BillingPeriod) {
        #expect(BillingPeriod(iso8601: text) == period)
        #expect(period.description == text)
    }

    @Test(
        "are not read from anything else",
        arguments: [
            "", "P", "PM", "P0M", "P-1M", "P1", "1M", "P1Y6M", "PT1H", "p1m", "P1m", "P1.5M", "P10000D", "P１M", " P1M",
        ]
    )
    func nonsense(_ text: String) {
        #expect(BillingPeriod(iso8601: text) == nil)
    }
}
