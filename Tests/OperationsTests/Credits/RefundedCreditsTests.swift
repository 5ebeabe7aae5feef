import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Credits of orders that are refunded, and of customers who become one") struct RefundedCreditsTests {
    @Test("a refund takes back what is left; what was spent is owed, and the next purchase pays it")
    func debt() async throws {
        try await CreditsOffice.run { office in
            try await office.buy("t1")
            try await office.useUpPlan()
            try await office.usage.count("scan", 30)
            try await office.refund("t1")
            #expect(try await office.credits() == [0, 30])
            #expect((await office.usage.refusal("scan"))?.code == .blocked)
            office.usage.clock.advance(by: 60)
            try await office.buy("t2")
            #expect(try await office.credits() == [20, 0])
            let meters = try #require(
                try await office.usage.backOffice.meters(
                    of: office.usage.session.customer,
                    app: office.usage.session.app
                )
            )
            let scans = try #require(meters.features.first { $0.feature.feature.code == "scan" }?.credits)
            let left = scans.current(at: meters.readAt)
            #expect(left.map(\.remaining) == [20])
            #expect(left.compactMap { meters.orderNumbers[$0.id] }.count == 1)
        }
    }

    @Test("a share of the money takes a share of the credits")
    func share() async throws {
        try await CreditsOffice.run { office in
            try await office.buy("t1")
            try await office.useUpPlan()
            try await office.usage.count("scan", 10)
            try await office.refund("t1", percent: 50)
            #expect(try await office.credits() == [15, 0])
            #expect(try await office.credits("dream") == [3, 0])
        }
    }

    @Test("where two customers become one, what one has pays what the other owes")
    func merged() async throws {
        try await CreditsOffice.run { office in
            let token = UUID()
            let session = try await CreditsOffice.session(of: token, office.office)
            try await office.buy("t1")
            try await office.useUpPlan()
            try await office.usage.count("scan", 30)
            try await office.refund("t1")
            try await office.buy("t2", to: token)
            try await office.office.database.write {
                try await $0.customers.merge(
                    session.customer,
                    into: office.usage.session.customer,
                    of: office.usage.session.app
                )
            }
            #expect(try await office.credits() == [20, 0])
            #expect(try await office.office.count("credit_buckets WHERE owed > 0") == 0)
        }
    }

    @Test("a purchase that moves to another customer takes its credits along")
    func moved() async throws {
        try await CreditsOffice.run { office in
            let token = UUID()
            let session = try await CreditsOffice.session(of: token, office.office)
            try await office.buy("t1", to: token)
            #expect(try await office.credits() == [0, 0])
            let subscription = try #require(
                try await office.office.pool.query("SELECT id FROM subscriptions").first?
                    .decode(0, as: Subscription.ID.self)
            )
            try await office.office.database.write { transaction in
                try await transaction.purchases.move(
                    subscription,
                    from: session.customer,
                    to: office.usage.session.customer,
                    of: office.usage.session.app
                )
            }
            #expect(try await office.credits() == [50, 0])
            #expect(try await office.credits("dream") == [5, 0])
        }
    }

    @Test("an account that is deleted keeps its credits in the books, and a refund after it is booked there")
    func deleted() async throws {
        try await CreditsOffice.run { office in
            try await office.buy("t1")
            try await office.useUpPlan()
            try await office.usage.count("scan", 30)
            let admin = try await office.office.staff("ada@example.com", .admin)
            let (customer, app) = (office.usage.session.customer, office.usage.session.app)
            #expect(try await office.usage.backOffice.deleteAccount(of: customer, app: app, caller: admin))
            try await office.refund("t1")
            let rows = try await office.office.lines(
                """
                SELECT concat_ws(' ', granted, taken, remaining, owed)
                FROM credit_buckets
                WHERE customer_id = \(customer)
                ORDER BY granted
                """
            )
            #expect(rows == ["5 5 0 0", "50 50 0 30"])
        }
    }

    @Test("after any purchases, uses and refunds all that was granted is left, spent, owed or taken back")
    func sums() async throws {
        try await CreditsOffice.run { office in
            try await office.useUpPlan()
            var random = SystemRandomNumberGenerator()
            var (bought, spent, refunded) = ([String](), Int64(0), Set<String>())
            for step in 0..<40 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    bought.append("s\(step)")
                    try await office.buy("s\(step)")
                case 1:
                    let amount = Int64.random(in: 1...70, using: &random)
                    if (try? await office.usage.count("scan", amount)) != nil { spent += amount }
                default:
                    let one = bought.randomElement(using: &random)
                    if let one, refunded.insert(one).inserted { try await office.refund(one) }
                }
            }
            let credits = try await office.credits()
            #expect(credits[0] - credits[1] == Int64(50 * (bought.count - refunded.count)) - spent)
            #expect(credits.contains(0))
        }
    }
}
