import Billing
import Foundation
import Testing

@testable import Operations

@Suite("The day on which apps count") struct UsageCalendarTests {
    @Test(
        "is that of the calendar for any moments in any order, in any zone, over changes of the clock and of the zone"
    )
    func same() throws {
        let calendar = UsageCalendar()
        let apps = [App.ID(UUID()), App.ID(UUID())]
        let zones = try ["Asia/Shanghai", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"].map {
            try #require(TimeZone(identifier: $0))
        }
        // Around midnights, and the nights on which New York's clocks change.
        let start = try Date("2026-03-07T00:00:00Z", strategy: .iso8601)
        var random = SystemRandomNumberGenerator()
        for step in 0..<2_000 {
            let now = start.addingTimeInterval(
                step < 1_000 ? Double(step) * 613 : Double.random(in: 0..<30_000_000, using: &random)
            )
            let (app, zone) = (apps[step % 2], zones[step / 250 % zones.count])
            let ends = calendar.ends(for: app, in: zone, at: now)
            #expect(ends.today == BusinessDay(now, in: zone))
            #expect(ends.ends(with: ends.today) == UsageWindow.allCases.map { $0.end(with: ends.today, in: zone) })
        }
    }
}
