import Billing
import Foundation
import Operations
import Storage
import TestSupport
import Testing

@Suite("The book of cases") struct BookOfCasesTests {
    @Test("each figure is the one that was worked out by hand", arguments: BookOfCases.all)
    func figures(of written: BookCase) async throws {
        try await TestOffice.run { office in
            var catalog = try Catalog.readmigo()
            catalog.products.append(Catalog.product("pro.weekly", "PRO", BillingPeriod(1, .week), 10))
            _ = try await office.backOffice.applyCatalog(catalog)
            for event in written.events { try await office.live(event) }
            let told = try await office.figures()
            print(Self.page(written, told))
            #expect(told == written.figures)
            _ = try await office.backOffice.foldRollups()
            #expect(try await office.figures() == written.figures, "added up or waiting, a figure is the same")
            #expect(try await office.backOffice.verifyRollups().allSatisfy { $0.differences == 0 })
        }
    }

    @Test("what staff give is no figure of what is sold")
    func grant() async throws {
        try await TestOffice.run { office in
            let admin = try await office.staff("ada@example.com", .admin)
            let before = try await office.figures()
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
            #expect(try await office.figures() == before)
        }
    }

    /// The book beside the product's figures.
    private static func page(_ written: BookCase, _ told: [String]) -> String {
        let lines = zip(
            written.figures + Array(repeating: "–", count: max(0, told.count - written.figures.count)),
            told + Array(repeating: "–", count: max(0, written.figures.count - told.count))
        )
        return (["\(written.name):"] + lines.map { "  book      \($0)\n  Perennial \($1)" }).joined(separator: "\n")
    }
}

extension TestOffice {
    /// Everything from 2025 to the month of the clock.
    fileprivate func figures() async throws -> [String] {
        let (app, zone) = (try await app(), try #require(TimeZone(identifier: "Asia/Shanghai")))
        let (first, last) = (BusinessDay(.day(0), in: zone), BusinessDay(.day(365), in: zone))
        let revenue = RevenueQuestion(filter: NumbersFilter(), from: first, through: last, grain: .month)
        let numbers = NumbersQuestion(filter: NumbersFilter(), from: first, through: last, grain: .month)
        return try await database.read { reader in
            BookOfFigures(
                try await reader.numbers.revenue(revenue, app: app).cells,
                try await reader.numbers.recurringRevenue(numbers, app: app),
                try await reader.numbers.subscribers(numbers, app: app),
                try await reader.numbers.trials(numbers, app: app)
            ).text
        }
    }
}
