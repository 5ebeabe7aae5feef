import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Customers who have bought nothing, in the metrics") struct FreeCustomersTests {
    @Test("who is identified counts from then on: all customers are the divisor of conversion, until two are one")
    func conversion() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            var named: [Customer.ID] = []
            for name in ["phone", "mei", "li"] {
                named.append(try await identify(name, anonymous: name == "phone", office))
                office.clock.advance(by: 60)
            }
            _ = try await office.buyer()
            var snapshot = try await self.snapshot(office)
            #expect((snapshot.customers, snapshot.payers, snapshot.conversionRate) == (4, 1, 2_500))
            // Called again, they are the same.
            _ = try await identify("mei", anonymous: false, office)
            try await office.backOffice.mergeAnonymousCustomer(named[0], into: named[1], of: app)
            snapshot = try await self.snapshot(office)
            #expect((snapshot.customers, snapshot.payers, snapshot.conversionRate) == (3, 1, 3_333))
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("a free customer's first purchase converts the month in which they were first seen")
    func cohort() async throws {
        try await TestOffice.run { office in
            let mei = try await identify("mei", anonymous: false, office)
            _ = try await identify("li", anonymous: false, office)
            let token = try await office.database.readPrimary { try await $0.screens.accountToken(of: mei) }
            office.clock.advance(by: 40 * 86_400)
            let day: Double = 365 + 40
            try await office.live(
                .told(.subscribed, on: day, .sold("t1", of: "t1", from: day, to: day + 30, to: token))
            )
            #expect(try await office.count("subscriptions WHERE customer_id = '\(mei)'") == 1)
            let seen = try await office.lines(
                "SELECT concat_ws(' ', measure, day, sum(count)) FROM subscriber_entries WHERE measure IN ('seen', 'converted') GROUP BY measure, day ORDER BY 1"
            )
            #expect(seen == ["converted 2026-01-01 1", "seen 2026-01-01 2"])
            #expect(try await self.snapshot(office).customers == 2)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    private func identify(_ name: String, anonymous: Bool, _ office: TestOffice) async throws -> Customer.ID {
        let app = try await office.app()
        let identity = CustomerIdentity(externalID: name, isAnonymous: anonymous)
        return try #require(try await office.database.write { try await $0.customers.identify(identity, of: app) })
    }

    private func snapshot(_ office: TestOffice) async throws -> CustomerSnapshot {
        let app = try await office.app()
        return try await office.database.read { try await $0.metrics.customerSnapshot(app: app) }
    }
}
