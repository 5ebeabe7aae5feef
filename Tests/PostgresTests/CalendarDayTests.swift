import Testing

@testable import Postgres

@Suite("CalendarDay")
struct CalendarDayTests {
    @Test("days and their numbers agree over eight centuries")
    func everyDay() throws {
        let numbers = -146_097...146_097
        let days = numbers.map(CalendarDay.init(daysSince2000:))
        #expect(zip(days, days.dropFirst()).allSatisfy { $0 < $1 })
        let wrong = try zip(numbers, days).filter { number, day in
            var bytes: [UInt8] = []
            try day.encode(into: &bytes)
            return bytes != Int32(number).bigEndianBytes
        }
        #expect(wrong.map(\.0) == [])
    }

    @Test(
        "days that do not exist cannot be made",
        arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 4, 31), (2024, 1, 0)]
    )
    func impossible(year: Int, month: Int, day: Int) {
        #expect(CalendarDay(year: year, month: month, day: day) == nil)
    }

    @Test("a day is written as ISO 8601 writes it")
    func description() throws {
        #expect(try #require(CalendarDay(year: 2000, month: 2, day: 29)).description == "2000-02-29")
        #expect(try #require(CalendarDay(year: 33, month: 4, day: 3)).description == "0033-04-03")
    }
}

extension Int32 {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
