import Billing
import Foundation
import Operations
import Storage
import TestSupport
import Testing

@Suite("The book of cases") struct GoldenScenariosTests {
    @Test("each metric is the one that was worked out by hand", arguments: GoldenScenarios.all)
    func metrics(of written: BookCase) async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.products.append(Catalog.product("pro.weekly", "PRO", BillingPeriod(1, .week), 10))
            _ = try await office.backOffice.applyCatalog(catalog)
            for event in written.events { try await office.live(event) }
            let (told, cohorts) = (try await office.metrics(), try await office.cohorts())
            print(Self.page(written.name, written.metrics + written.cohorts, told + cohorts))
            #expect(told == written.metrics)
            #expect(cohorts == written.cohorts)
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.metrics() == written.metrics, "added up or waiting, a metric is the same")
            #expect(try await office.cohorts() == written.cohorts)
            #expect(try await office.backOffice.verifyRollups().allSatisfy { $0.differences == 0 })
        }
    }

    @Test("what staff give is no metric of what is sold")
    func grant() async throws {
        try await TestOffice.run { office in
            let admin = try await office.staff("ada@example.com", .admin)
            let before = try await office.metrics()
            _ = try await office.backOffice.change(
                try await office.customer("c1"),
                of: try await office.app(),
                .grant(plan: "PREMIUM", .days(30)),
                reason: Reason(.goodwill, "The reader crashed all day."),
                key: nil,
                version: nil,
                caller: admin
            )
            #expect(try await office.count("grants") == 1)
            #expect(try await office.metrics() == before)
        }
    }

    /// Returns the expected metrics beside the product's.
    private static func page(_ name: String, _ written: [String], _ told: [String]) -> String {
        let lines = zip(
            written + Array(repeating: "–", count: max(0, told.count - written.count)),
            told + Array(repeating: "–", count: max(0, written.count - told.count))
        )
        return (["\(name):"] + lines.map { "  book      \($0)\n  Perennial \($1)" }).joined(separator: "\n")
    }
}

extension TestOffice {
    /// Returns all metrics from 2025 to the month of the clock.
    fileprivate func metrics() async throws -> [String] {
        let (app, zone) = (try await app(), try #require(TimeZone(identifier: "Asia/Shanghai")))
        let (first, last) = (BusinessDay(.day(0), in: zone), BusinessDay(.day(365), in: zone))
        let end = ReportingPeriod(.month, containing: last).last
        let revenue = RevenueQuery(filter: MetricsFilter(), from: first, through: end, grain: .month)
        let numbers = MetricsQuery(filter: MetricsFilter(), monthsFrom: first, through: last)
        return try await database.read { reader in
            GoldenMetrics(
                try await reader.metrics.revenue(revenue, app: app).cells,
                try await reader.metrics.recurringRevenue(numbers, app: app),
                try await reader.metrics.subscribers(numbers, app: app),
                try await reader.metrics.trials(numbers, app: app)
            ).text
        }
    }
    /// Returns all metrics of cohorts and of access in the same months.
    fileprivate func cohorts() async throws -> [String] {
        let (app, zone) = (try await app(), try #require(TimeZone(identifier: "Asia/Shanghai")))
        let (first, last) = (BusinessDay(.day(0), in: zone), BusinessDay(.day(365), in: zone))
        let question = MetricsQuery(filter: MetricsFilter(), monthsFrom: first, through: last)
        return try await database.read { reader in
            BookOfCohorts(
                try await reader.metrics.retention(question, every: .aMonth, on: last, app: app),
                try await reader.metrics.conversion(question, app: app),
                try await reader.metrics.monthlyValue(question, in: .cny, app: app),
                try await reader.metrics.lifetimeValue(question, in: .cny, app: app),
                try await reader.metrics.access(question, app: app),
                try await reader.metrics.predictedValue(on: last, MetricsFilter(), in: .cny, app: app)
            ).text
        }
    }
}
