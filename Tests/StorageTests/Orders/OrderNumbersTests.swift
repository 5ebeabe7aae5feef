import Billing
import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Order numbers") struct OrderNumbersTests {
    private static let day = BusinessDay(Date(timeIntervalSince1970: 1_750_000_000), in: .gmt)

    @Test("many who ask two processes at once are each given another number")
    func neverTwice() async throws {
        try await TestShop.run { _, database in
            let processes = [OrderNumbers(database: database), OrderNumbers(database: database)]
            let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<600 {
                    group.addTask { try await processes[index % 2].next(for: TestShop.app, on: Self.day) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(numbers).count == 600)
            #expect(numbers.min() == 1)
            // Gaps come from blocks that raced or were not used up, so they stay small.
            #expect(numbers.max() ?? 0 < 6_000)
        }
    }

    @Test("a day counts from one, and so does the next")
    func fromOne() async throws {
        try await TestShop.run { pool, database in
            let numbers = OrderNumbers(database: database)
            let tomorrow = BusinessDay(Date(timeIntervalSince1970: 1_750_000_000 + 86_400), in: .gmt)
            var given: [Int] = []
            for _ in 0..<100 { given.append(try await numbers.next(for: TestShop.app, on: Self.day)) }
            #expect(given == Array(1...100))
            #expect(try await numbers.next(for: TestShop.app, on: tomorrow) == 1)
            let taken = try await pool.query("SELECT last_sequence FROM order_numbers ORDER BY day")
            // 1 + 2 + 4 + … + 64 for the first hundred: the block grows during the day.
            #expect(try taken.map { try $0.decode(0, as: Int.self) } == [127, 1])
        }
    }

    @Test("a process that starts again goes on behind the numbers that were taken")
    func restart() async throws {
        try await TestShop.run { _, database in
            let first = OrderNumbers(database: database)
            for _ in 0..<5 { _ = try await first.next(for: TestShop.app, on: Self.day) }
            let next = try await OrderNumbers(database: database).next(for: TestShop.app, on: Self.day)
            #expect(next == 8)
        }
    }
}
