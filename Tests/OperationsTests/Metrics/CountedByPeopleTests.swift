import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("what the metrics count of what people do") struct CountedByPeopleTests {
    private static let reason = Reason(.goodwill, "The reader crashed all day.")

    @Test(
        "a charge that people gave back in full is paid for no longer, and gives access as before",
        arguments: RefundPayer.allCases
    )
    func givenBack(_ payer: RefundPayer) async throws {
        try await RefundOffice.run { desk in
            let held = try await desk.office.counts("holder")
            let number = try await desk.ask()
            try await desk.approve(number)
            try await desk.pay(number, by: payer, "transfer 17")
            #expect(try await desk.office.counts("mrr") == ["0 1067 0", "4 -1067 0"])
            #expect(try await desk.office.counts("subscriber") == ["0 0 1", "4 0 -1"])
            #expect(try await desk.office.counts("retained").isEmpty)
            #expect(try await desk.office.counts("holder") == held)
            #expect(try await desk.backOffice.verifyRollups().map(\.differences) == [0])
            // The store keeps its 30 % of what was paid back outside it.
            #expect(try await desk.proceeds() == (payer == .elsewhere ? -3_840 : 0))
        }
    }

    @Test("what is given back in part leaves recurring revenue as it is")
    func givenBackInPart() async throws {
        try await RefundOffice.run { desk in
            let number = try await desk.ask(.partial, .yuan(28))
            try await desk.approve(number)
            try await desk.pay(number, by: .elsewhere, "transfer 17")
            #expect(try await desk.office.counts("mrr") == ["0 1067 0"])
            #expect(try await desk.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("a grant to who has only bought in the sandbox counts from the first purchase in production on")
    func grantInTheSandbox() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let ada = UUID()
            var tried = StoreEvent.told(.subscribed, on: 1, .sold("s1", of: "s1", from: 1, to: 2, to: ada))
            tried.environment = .sandbox
            try await office.live(tried)
            let customer = try #require(
                try await office.lines("SELECT id::text FROM customers").first.flatMap(Customer.ID.init)
            )
            _ = try await office.backOffice.change(
                customer,
                of: app,
                .grant(plan: "PREMIUM", .days(3_000)),
                reason: Self.reason,
                key: nil,
                version: nil,
                caller: admin
            )
            #expect(try await office.counts("holder").isEmpty)
            #expect(try await office.counts("access").isEmpty)
            #expect(try await office.lines("SELECT id::text FROM access_changes").isEmpty)
            try await office.live(.told(.subscribed, on: 3, .sold("t1", from: 3, to: 33, to: ada)))
            #expect(try await !office.counts("holder").isEmpty)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("another window in the catalogue counts the trials of before again, and once")
    func trialWindow() async throws {
        try await TestOffice.run { office in
            let trial = StoreTransaction.sold("t1", from: 0, to: 7, for: .yuan(0), trial: true)
            try await office.live(
                .told(.subscribed, on: 0, trial),
                .told(.renewed, on: 20, .sold("t2", from: 20, to: 50))
            )
            #expect(try await office.counts("trial_converted") == ["0 0 1"])
            #expect(try await office.backOffice.recountRollups().isEmpty)
            var catalog = try Catalog.readmigo()
            catalog.trialConversionDays = 5
            _ = try await office.backOffice.applyCatalog(catalog)
            #expect(try await office.backOffice.recountRollups().count == 1)
            #expect(try await office.counts("trial_converted").isEmpty)
            #expect(try await office.counts("trial_abandoned") == ["0 0 1"])
            #expect(try await office.backOffice.recountRollups().isEmpty)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }
}

extension RefundOffice {
    /// Of all that was sold, in yuan, in minor units.
    fileprivate func proceeds() async throws -> Int64 {
        let day = try #require(BusinessDay("2030-12-31"))
        let question = RevenueQuery(
            filter: MetricsFilter(),
            from: BusinessDay(number: 0),
            through: day,
            grain: .month,
            reporting: .cny
        )
        return try await office.database.read { try await $0.metrics.revenue(question, app: app) }
            .cells.reduce(Revenue()) { $0 + $1.revenue }.proceeds
    }
}

extension TestOffice {
    /// What has come to count until now, added up: "step amount count", by step.
    fileprivate func counts(_ measure: String) async throws -> [String] {
        _ = try await backOffice.foldRollups()
        return try await lines(
            """
            SELECT concat_ws(' ', dimension, sum(amount), sum(count))
            FROM rollups
            WHERE measure = \(measure) AND environment = 'production'
            GROUP BY dimension
            HAVING sum(amount) <> 0 OR sum(count) <> 0
            ORDER BY dimension
            """
        )
    }
}
