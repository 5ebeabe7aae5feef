import Billing
import Foundation
import Testing

@Suite("business days and order numbers")
struct OrderNumberTests {
    @Test(
        "the day is that of the app's clocks",
        arguments: [
            ("2024-12-15 15:59:59", "Asia/Shanghai", "2024-12-15"),
            ("2024-12-15 16:00:00", "Asia/Shanghai", "2024-12-16"),
            ("2024-12-31 21:00:00", "Europe/Istanbul", "2025-01-01"),
            ("2025-01-01 04:59:59", "America/New_York", "2024-12-31"),
            ("2024-07-01 04:00:00", "America/New_York", "2024-07-01"), ("2024-02-29 12:00:00", "UTC", "2024-02-29"),
        ]
    )
    func day(_ moment: String, _ zone: String, _ day: String) throws {
        let date = try Date.local(moment, .gmt)
        #expect(BusinessDay(date, in: try .named(zone)).description == day)
    }

    @Test(
        "a day starts at the first moment that is of it",
        arguments: ["Asia/Shanghai", "America/New_York", "America/Havana"]
    )
    func start(_ name: String) throws {
        let zone = try TimeZone.named(name)
        // 2025-03-09: New York skips 2:00, Havana skips midnight.
        let day = try #require(BusinessDay("2025-03-09"))
        let start = day.start(in: zone)
        #expect(BusinessDay(start, in: zone) == day)
        #expect(BusinessDay(start.addingTimeInterval(-0.001), in: zone) == BusinessDay("2025-03-08"))
    }

    @Test("is written ORD, day, at least four digits, and read back")
    func written() throws {
        let day = try #require(BusinessDay("2024-12-15"))
        for (sequence, text) in [
            (1, "ORD-20241215-0001"), (9_999, "ORD-20241215-9999"), (10_000, "ORD-20241215-10000"),
            (1_234_567, "ORD-20241215-1234567"),
        ] {
            let number = OrderNumber(day: day, sequence: sequence)
            #expect(number.description == text)
            #expect(OrderNumber(text) == number)
        }
    }

    @Test(
        "nothing else is an order number",
        arguments: [
            "", "ORD", "ORD-20241215", "ORD-20241215-", "ORD-20241215-1", "ORD-20241215-0000", "ORD-20241215-00001",
            "ord-20241215-0001", "ORD-20241315-0001", "ORD-20230229-0001", "ORD-2024-12-15-0001", "ORD-20241215-0001 ",
            "ORD-20241215--001", "ORD-20241215-+001", "ORD-20241215-99999999999999999999", "ORD-00000101-0001",
        ]
    )
    func nonsense(_ text: String) {
        #expect(OrderNumber(text) == nil)
    }

    @Test("numbers sort by day, then by sequence, also beyond four digits")
    func sorted() throws {
        let numbers = ["ORD-20241216-0001", "ORD-20241215-10000", "ORD-20241215-9999", "ORD-20240229-0002"]
        let sorted = numbers.compactMap { OrderNumber($0) }.sorted().map(\.description)
        #expect(sorted == numbers.reversed())
    }
}
