import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Refunds that a bank asks Google for, and Google us") struct GoogleReviewTests {
    private static let rules = [ConsumptionRule(name: "fresh", usedPercent: .init(to: 60), answer: .grantFull)]

    /// A subscription whose refund Google asks about.
    private func run(
        _ sending: ConsumptionPolicy.Sending,
        _ body: (GoogleOffice, String) async throws -> Void
    ) async throws {
        try await GoogleOffice.run { office in
            var catalog = try office.catalog()
            catalog.consumption = ConsumptionPolicy(sending: sending, rules: Self.rules)
            _ = try await office.backOffice.applyCatalog(catalog)
            let token = office.google.buy(GoogleOffice.monthly)
            let order = try #require(office.google.purchase(token)?.orders.first)
            try await office.hear()
            office.days(2)
            office.google.askAboutRefund(order, token: "review-1")
            try await office.hear(after: 1)
            try await office.workOffJobs()
            try await body(office, order)
        }
    }

    @Test("a bank's question about an order of several items is one case, answered once") func severalItems()
        async throws
    {
        try await GoogleOffice.run { office in
            var catalog = try office.catalog()
            catalog.consumption = ConsumptionPolicy(sending: .automatic, rules: Self.rules)
            _ = try await office.backOffice.applyCatalog(catalog)
            let token = office.google.buy(GoogleOffice.monthly, addOns: [GoogleOffice.extra])
            let order = try #require(office.google.purchase(token)?.orders.first)
            try await office.hear()
            office.days(2)
            office.google.askAboutRefund(order, token: "review-1")
            try await office.hear(after: 1)
            try await office.workOffJobs()
            #expect(try await office.lines(cases) == ["RF-000001 approved t 1 day GRANT_FULL"])
            #expect(office.google.reviews.map(\.order) == [order])
            office.google.chargeBack(order)
            try await office.hear(after: 2)
            #expect(try await office.books() == ["\(order) refunded 0", "\(order):extra refunded 0"])
            #expect(try await office.count("refund_requests") == 1)
        }
    }

    private let cases: Query = """
        SELECT concat_ws(' ', r.number, r.status, r.opened_by_store, r.consumption_due_at - r.consumption_requested_at, r.refund_preference)
        FROM refund_requests r
        """
    private let answers: Query =
        "SELECT concat_ws(' ', state, refund_preference, withheld_because) FROM consumption_answers"

    @Test("the question is a case in the queue, with a day's clock") func opened() async throws {
        try await run(.deadline) { office, _ in
            let opened = try await office.lines(cases)
            #expect(opened == ["RF-000001 pending t 1 day"])
            #expect(office.google.reviews.isEmpty)
        }
    }

    @Test("the app's rules answer it with Google's token, without the consent that Apple needs") func byRule()
        async throws
    {
        try await run(.automatic) { office, order in
            let sent = try #require(office.google.reviews.first)
            #expect(office.google.reviews.count == 1)
            #expect(sent.order == order)
            #expect(sent.body["pendingRefundToken"] == "review-1")
            #expect(sent.body["refundPreference"] == "APPROVE")
            #expect(sent.body["consumptionPercentageMilliunits"] == nil)
            #expect(try await office.lines(cases) == ["RF-000001 approved t 1 day GRANT_FULL"])
            #expect(try await office.lines(answers) == ["sent GRANT_FULL"])
        }
    }

    @Test("a person answers it before that, and what Google does then ends the case") func byPerson() async throws {
        try await run(.deadline) { office, order in
            let ada = try await office.office.hire("ada", .admin)
            _ = try await office.backOffice.rejectRefund(
                "RF-000001",
                app: try await office.office.app(),
                reason: Reason(.other, "The customer used all of it."),
                caller: ada
            )
            try await office.workOffJobs()
            #expect(office.google.reviews.map { $0.body["refundPreference"] } == ["DECLINE"])
            let count = office.google.pushes.count
            office.google.chargeBack(order)
            try await office.hear(after: count)
            #expect(try await office.books() == ["\(order) refunded 0"])
            #expect(
                try await office.lines("SELECT (store_refunded_at IS NOT NULL)::text FROM refund_requests") == ["true"]
            )
        }
    }

    @Test("after a day nothing is sent any more") func tooLate() async throws {
        try await run(.deadline) { office, _ in
            office.days(1.1)
            _ = try await office.office.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
            try await office.workOffJobs()
            #expect(office.google.reviews.isEmpty)
            #expect(try await office.lines(answers).first?.contains("too_late") == true)
        }
    }
}
