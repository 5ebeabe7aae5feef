import Billing
import Foundation
import Testing

@Suite("Usage by window") struct UsageByWindowTests {
    @Test(
        "from 80 % of a limit on a customer is near it, never without one",
        arguments: [
            (4, 5, true), (3, 5, false), (7, 8, true), (6, 8, false), (1, 1, true), (0, 1, false), (80, 100, true),
            (79, 100, false), (200, 100, true), (-1, 1, false), (.max, nil, false), (.max, .max, true),
            (.min, .max, false),
        ] as [(Int64, Int64?, Bool)]
    )
    func near(used: Int64, limit: Int64?, isNear: Bool) {
        #expect(WindowUsage(window: .day, used: used, limit: limit, resetsAt: nil).isNearLimit == isNear)
    }

    @Test(
        "a day ends at the app's midnight, a month with its last day, a lifetime never",
        arguments: [
            // Always eight hours ahead.
            ("Asia/Shanghai", "2026-01-31", "2026-01-31T16:00:00Z", "2026-01-31T16:00:00Z"),
            ("Asia/Shanghai", "2026-02-27", "2026-02-27T16:00:00Z", "2026-02-28T16:00:00Z"),
            ("Asia/Shanghai", "2028-02-28", "2028-02-28T16:00:00Z", "2028-02-29T16:00:00Z"),
            ("Europe/Istanbul", "2026-12-31", "2026-12-31T21:00:00Z", "2026-12-31T21:00:00Z"),
            // The clocks of Istanbul still changed: the day has 23 hours, and 25.
            ("Europe/Istanbul", "2015-03-29", "2015-03-29T21:00:00Z", "2015-03-31T21:00:00Z"),
            ("Europe/Istanbul", "2015-11-08", "2015-11-08T22:00:00Z", "2015-11-30T22:00:00Z"),
            ("America/New_York", "2026-03-07", "2026-03-08T05:00:00Z", "2026-04-01T04:00:00Z"),
            ("America/New_York", "2026-03-08", "2026-03-09T04:00:00Z", "2026-04-01T04:00:00Z"),
            ("America/New_York", "2026-11-01", "2026-11-02T05:00:00Z", "2026-12-01T05:00:00Z"),
            ("UTC", "2026-04-30", "2026-05-01T00:00:00Z", "2026-05-01T00:00:00Z"),
        ]
    )
    func ends(zone: String, day: String, dayEnd: String, monthEnd: String) throws {
        let (zone, day) = (try #require(TimeZone(identifier: zone)), try #require(BusinessDay(day)))
        #expect(UsageWindow.day.end(with: day, in: zone) == (try Self.date(dayEnd)))
        #expect(UsageWindow.month.end(with: day, in: zone) == (try Self.date(monthEnd)))
        #expect(UsageWindow.lifetime.end(with: day, in: zone) == nil)
    }

    @Test("what was used in a window that is over counts nothing any more, and a lifetime is never over")
    func over() throws {
        let counter = try Self.counter("2026-01-31", day: 3, month: 20, lifetime: 90)
        func used(_ day: String) throws -> [Int64] {
            let day = try #require(BusinessDay(day))
            return UsageWindow.allCases.map { counter.used(in: $0, on: day) }
        }
        #expect(try used("2026-01-31") == [3, 20, 90])
        #expect(try used("2026-02-01") == [0, 0, 90])
        #expect(try used("2027-01-31") == [0, 0, 90])
        // The clock of whoever counted last is ahead.
        #expect(try used("2026-01-30") == [3, 20, 90])
    }

    @Test("where nothing was ever counted, all of the limit is left")
    func nothing() throws {
        let usage = try Self.usage(nil, FeatureLimits(day: 5, month: nil, lifetime: 9))
        #expect(usage.windows.map(\.used) == [0, 0, 0])
        #expect(usage.windows.map(\.remaining) == [5, nil, 9])
        #expect(usage.tightest?.window == .day)
        #expect(try Self.usage(nil, .unlimited).tightest == nil)
    }

    @Test("the limit with the least left is shown, of equals the one that lasts longest")
    func tightest() throws {
        let counter = try Self.counter("2026-01-31", day: 3, month: 20, lifetime: 90)
        func tightest(_ day: Int64?, _ month: Int64?, _ lifetime: Int64?) throws -> UsageWindow? {
            try Self.usage(counter, FeatureLimits(day: day, month: month, lifetime: lifetime)).tightest?.window
        }
        #expect(try tightest(10, 100, 1_000) == .day)
        #expect(try tightest(10, 25, 1_000) == .month)
        #expect(try tightest(10, 27, 97) == .lifetime)
        #expect(try tightest(nil, 100, nil) == .month)
    }

    @Test("a limit is reached by what it has no room for, and the one that lasts longest says until when")
    func reached() throws {
        let counter = try Self.counter("2026-01-31", day: 3, month: 20, lifetime: 90)
        func reached(_ quantity: Int64, _ limits: FeatureLimits) throws -> UsageWindow? {
            try Self.usage(counter, limits).reached(by: quantity)?.window
        }
        #expect(try reached(7, FeatureLimits(day: 10, month: 27, lifetime: 97)) == nil)
        #expect(try reached(8, FeatureLimits(day: 10, month: 28, lifetime: 98)) == .day)
        #expect(try reached(8, FeatureLimits(day: 10, month: 27, lifetime: 98)) == .month)
        #expect(try reached(8, FeatureLimits(day: 10, month: 27, lifetime: 97)) == .lifetime)
        #expect(try reached(.max, .unlimited) == nil)
        // Under another plan more was used than this one gives.
        #expect(try reached(1, FeatureLimits(day: 0, month: nil, lifetime: nil)) == .day)
        #expect(
            try Self.usage(counter, FeatureLimits(day: 1, month: 1, lifetime: 1)).windows.map(\.remaining) == [0, 0, 0]
        )
    }

    @Test("who is refused waits for the window's end, from a second to a day; for a lifetime and a plan no wait helps")
    func retryAfter() throws {
        let end = try Self.date("2026-01-31T16:00:00Z")
        func refusal(_ end: Date?) -> UsageRefusal {
            .limitReached(feature: "ai", WindowUsage(window: .day, used: 5, limit: 5, resetsAt: end))
        }
        #expect(refusal(end).retryAfter(at: end.addingTimeInterval(-90.5)) == 91)
        #expect(refusal(end).retryAfter(at: end) == 1)
        #expect(refusal(end).retryAfter(at: end.addingTimeInterval(-40 * 86_400)) == 86_400)
        #expect(refusal(.distantFuture).retryAfter(at: .distantPast) == 86_400)
        #expect(refusal(nil).retryAfter(at: end) == nil)
        #expect(UsageRefusal.tierRequired(feature: "ai", plan: "PRO").retryAfter(at: end) == nil)
    }

    @Test("an answer that was kept is read as it was given")
    func coding() throws {
        let counter = try Self.counter("2026-01-31", day: 3, month: 20, lifetime: 90)
        let answer = UsageAnswer(
            feature: "voice-chat",
            quantity: 1_000_000,
            isOffline: true,
            usage: try Self.usage(counter, FeatureLimits(day: 10, month: nil, lifetime: .max))
        )
        let kept = try JSONEncoder().encode(answer)
        #expect(try JSONDecoder().decode(UsageAnswer.self, from: kept) == answer)
    }

    private static func counter(_ day: String, day used: Int64, month: Int64, lifetime: Int64) throws -> UsageCounter {
        let day = try #require(BusinessDay(day))
        return UsageCounter(
            day: day,
            dayUsed: used,
            month: ReportingPeriod(.month, containing: day).first,
            monthUsed: month,
            lifetimeUsed: lifetime
        )
    }

    private static func usage(_ counter: UsageCounter?, _ limits: FeatureLimits) throws -> UsageByWindow {
        UsageByWindow(
            counter,
            limits: limits,
            until: UsageWindowEnds(
                on: try #require(BusinessDay("2026-01-31")),
                in: try #require(TimeZone(identifier: "Asia/Shanghai"))
            )
        )
    }

    private static func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }
}
