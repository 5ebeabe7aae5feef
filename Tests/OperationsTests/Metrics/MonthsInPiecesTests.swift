import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Months follow other rates, and another reporting currency, in pieces", .timeLimit(.minutes(15)))
struct MonthsInPiecesTests {
    /// Six months of sales in CNY, for an app that reports in CNY; each day has its own rate.
    private static func run(_ body: (TestOffice) async throws -> Void) async throws {
        try await TestOffice.run { office in
            for subscription in 0..<3 {
                let id = "s\(subscription)"
                try await office.live(
                    .told(.subscribed, on: 185, .sold("\(id)-0", of: id, from: 185, to: 215, to: UUID()))
                )
                for period in 1..<6 {
                    let start = Double(185 + period * 30)
                    try await office.live(
                        .told(.renewed, on: start, .sold("\(id)-\(period)", of: id, from: start, to: start + 30))
                    )
                }
            }
            _ = try await office.backOffice.importRates(try rates { 7 + Double($0 % 13) / 100 })
            _ = try await office.backOffice.foldRollups()
            try await body(office)
        }
    }

    /// - Parameter yuan: what a euro costs, by how many days ago.
    private static func rates(_ yuan: (Int) -> Double) throws -> [ExchangeRate] {
        let today = BusinessDay(TestOffice.start, in: .gmt)
        let (dollar, renminbi) = (try #require(Currency("USD")), try #require(Currency("CNY")))
        return (0..<220).flatMap { ago in
            let day = today.advanced(by: -ago)
            return [
                ExchangeRate(currency: dollar, day: day, perEuro: "1.0\(ago % 10)"),
                ExchangeRate(currency: renminbi, day: day, perEuro: "\(yuan(ago))"),
            ]
        }
    }

    private static func report(in currency: Currency, _ office: TestOffice) async throws {
        var catalog = try Catalog.readmigo()
        catalog.reportingCurrency = currency
        _ = try await office.backOffice.applyCatalog(catalog)
    }

    /// Revenue by month in one currency.
    private static func figures(in currency: Currency, _ office: TestOffice) async throws -> [RevenueCell] {
        let today = BusinessDay(TestOffice.start, in: .gmt)
        let question = RevenueQuery(
            filter: MetricsFilter(),
            from: today.advanced(by: -300),
            through: today.advanced(by: 100),
            grain: .month,
            reporting: currency
        )
        let app = try await office.app()
        return try await office.database.read { try await $0.metrics.revenue(question, app: app) }.cells
    }

    private static func waiting(_ office: TestOffice) async throws -> Int {
        try await office.count("months_to_convert")
    }

    @Test("a figure is the same before, between and after the pieces, and is never half converted")
    func currency() async throws {
        let dollar = try #require(Currency("USD"))
        try await Self.run { office in
            // The app reports in another currency: its days are converted.
            let right = try await Self.figures(in: dollar, office)
            #expect(right.count >= 6)
            try await Self.report(in: dollar, office)
            var pieces = 0
            while try await Self.waiting(office) > 0 {
                let figures = try await Self.figures(in: dollar, office)
                #expect(figures == right, "after \(pieces) months")
                #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
                #expect(try await office.database.convertMonth() == .piece)
                pieces += 1
            }
            #expect(pieces >= 6)
            #expect(try await office.database.convertMonth() == .nothing)
            let figures = try await Self.figures(in: dollar, office)
            #expect(figures == right)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
            // Months, which are read again, have the amounts of the currency.
            let sums = try await office.lines(
                "SELECT round(sum(converted))::text FROM rollup_months WHERE measure = 'charge'"
            )
            let gross = right.reduce(Int64(0)) { $0 + $1.revenue.gross }
            let sum = try #require(sums.first.flatMap { Int64($0) })
            #expect(abs(sum - gross) <= Int64(right.count))
        }
    }

    @Test("rates that change are followed by the months in which they hold, and by no other")
    func otherRates() async throws {
        try await Self.run { office in
            let day = BusinessDay(TestOffice.start, in: .gmt).advanced(by: -100)
            let rate = ExchangeRate(currency: .cny, day: day, perEuro: "9.5")
            _ = try await office.database.write { try await $0.rates.save([rate]) }
            let waiting = try await Self.waiting(office)
            #expect((1...2).contains(waiting))
            _ = try await office.backOffice.importRates([])
            #expect(try await Self.waiting(office) == 0)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("a sale beside it is taken in at once, and who is killed half-way leaves the rest to another server")
    func killed() async throws {
        let dollar = try #require(Currency("USD"))
        try await Self.run { office in
            try await Self.report(in: dollar, office)
            #expect(try await office.database.convertMonth() == .piece)
            let left = try await Self.waiting(office)
            #expect(left >= 5)
            try await office.pool.withConnection { connection in
                try await connection.execute(script: "BEGIN; SELECT FROM rollup_months FOR UPDATE")
                async let killed = failure(of: { _ = try await office.database.convertMonth() })
                let converting: Query = """
                    SELECT pid::text FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%convert_months%'
                    """
                var pids: [String] = []
                while pids.isEmpty {
                    pids = try await office.lines(converting)
                    try await Task.sleep(for: .milliseconds(10))
                }
                // Another server finds that somebody is at it, and goes on with something else.
                #expect(try await office.anotherServer().database.convertMonth() == .held)
                try await office.live(
                    .told(.subscribed, on: 364, .sold("late", of: "late", from: 364, to: 394, to: UUID()))
                )
                #expect(try await office.count("orders WHERE transaction_id = 'late'") == 1)
                let pid = try #require(pids.first.flatMap { Int32($0) })
                _ = try await office.pool.query("SELECT pg_terminate_backend(\(pid))")
                #expect(await killed)
                try await connection.execute(script: "COMMIT")
            }
            #expect(try await Self.waiting(office) == left)
            let figures = try await Self.figures(in: dollar, office)
            let other = office.anotherServer()
            while try await other.convertMonths() {}
            _ = try await other.foldRollups()
            #expect(try await Self.waiting(office) == 0)
            #expect(try await Self.figures(in: dollar, office) == figures)
            #expect(try await other.verifyRollups().map(\.differences) == [0])
        }
    }
}

/// True if the work ended by an error.
private func failure(of work: () async throws -> Void) async -> Bool {
    do {
        try await work()
        return false
    } catch {
        return true
    }
}
