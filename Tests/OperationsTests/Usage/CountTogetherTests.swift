import Billing
import Foundation
import Postgres
import Storage
import Testing

@testable import Operations

/// Checks that entries of several callers, which are committed together, are each counted as if alone.
@Suite("Counts that are committed together") struct CountTogetherTests {
    @Test("each has its own answer, in the order in which they were asked, and several of one counter see each other")
    func ordered() async throws {
        try await UsageOffice.run { office in
            let others = try await Self.others(3, office)
            let entries = try await Self.entries(
                [office, others[2], office, others[0], office],
                [60, 1, 41, 7, 40],
                "scan"
            )
            let answers = try await office.office.database.count(entries)
            #expect(answers?.map { $0?.dayUsed } == [60, 1, nil, 7, 100])
            #expect(try await Self.used([office] + others) == [100, 7, nil, 1])
        }
    }

    @Test("one whose customer has become another fails alone")
    func merged() async throws {
        try await UsageOffice.run { office in
            let others = try await Self.others(2, office)
            let (gone, survivor) = (others[0].session.customer, others[1].session.customer)
            try await office.office.database.write {
                try await $0.customers.merge(gone, into: survivor, of: office.session.app)
            }
            let entries = try await Self.entries([office, others[0], others[1]], [5, 6, 7], "scan")
            #expect(try await office.office.database.count(entries) == nil)
            #expect(try await Self.used([office] + others) == [nil, nil, nil])
            let counts = office.backOffice.usageCounts
            let answers = entries.map { entry in Task { try await counts.count(entry)?.dayUsed } }
            #expect(try await answers[0].value == 5)
            await #expect(throws: CustomerIsMerged.self) { try await answers[1].value }
            #expect(try await answers[2].value == 7)
            #expect(try await Self.used([office] + others) == [5, nil, 7])
        }
    }

    @Test(
        "one whose counter somebody has locked holds up no other for long, and nothing is counted twice",
        .timeLimit(.minutes(10))
    )
    func locked() async throws {
        try await UsageOffice.run { office in
            let other = try await Self.others(1, office)[0]
            try await office.count("scan")
            try await other.count("scan")
            let entries = try await Self.entries([office, other], [10, 20], "scan")
            let database = office.office.database
            let (held, release) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            async let lock: Void = office.office.pool.withTransaction { connection in
                _ = try await connection.query(
                    "SELECT FROM usage_counters WHERE customer_id = \(office.session.customer) FOR UPDATE"
                )
                held.continuation.yield()
                for await _ in release.stream { break }
            }
            for await _ in held.stream { break }
            #expect(try await database.count(entries) == nil)
            let counts = office.backOffice.usageCounts
            let locked = Task { try await counts.count(entries[0])?.dayUsed }
            // The other customer's is answered while the lock is held.
            #expect(try await counts.count(entries[1])?.dayUsed == 21)
            #expect(try await Self.used([office, other]) == [1, 21])
            release.continuation.yield()
            try await lock
            #expect(try await locked.value == 11)
            #expect(try await Self.used([office, other]) == [11, 21])
        }
    }

    @Test("of many customers who count at once, each has exactly what their limit leaves")
    func race() async throws {
        try await UsageOffice.run { office in
            let customers = [office] + (try await Self.others(7, office))
            let counted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for customer in customers {
                    for _ in 0..<120 {
                        group.addTask {
                            do {
                                try await customer.count("scan")
                                return true
                            } catch let error as OperationsError where error.code == .blocked {
                                return false
                            }
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(counted == 800)
            #expect(try await Self.used(customers) == Array(repeating: 100, count: 8))
            #expect(try await office.days() == Array(repeating: "2026-01-01 100 0", count: 8))
        }
    }

    private static func others(_ count: Int, _ office: UsageOffice) async throws -> [UsageOffice] {
        var others: [UsageOffice] = []
        for number in 0..<count {
            let session = try await UsageOffice.session("other-\(number)", office.office)
            others.append(UsageOffice(office: office.office, session: session))
        }
        return others
    }

    /// Returns each office's usage today; nil for none.
    private static func used(_ offices: [UsageOffice]) async throws -> [Int64?] {
        var used: [Int64?] = []
        for office in offices {
            let lines = try await office.office.lines(
                "SELECT day_used::text FROM usage_counters WHERE customer_id = \(office.session.customer)"
            )
            used.append(lines.first.flatMap { Int64($0) })
        }
        return used
    }

    private static func entries(
        _ offices: [UsageOffice],
        _ quantities: [Int64],
        _ code: String
    ) async throws -> [UsageEntry] {
        var entries: [UsageEntry] = []
        for (office, quantity) in zip(offices, quantities) {
            let usage = try await office.backOffice.usage(for: try await office.current())
            let feature = try #require(usage.catalog.feature(code))
            let now = office.clock.read()
            entries.append(
                UsageEntry(
                    customer: office.session.customer,
                    feature: feature.id,
                    quantity: quantity,
                    now: now,
                    today: BusinessDay(now, in: try #require(TimeZone(identifier: "Asia/Shanghai"))),
                    offlineDay: nil,
                    limits: FeatureLimits(day: 100)
                )
            )
        }
        return entries
    }
}
