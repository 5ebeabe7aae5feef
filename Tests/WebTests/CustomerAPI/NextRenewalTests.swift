import APITypes
import Foundation
import HTTPTypes
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("The next renewal and a commitment, wherever a subscription is shown") struct NextRenewalAnswerTests {
    /// In the third month of a year that is billed by the month; the next one is under an offer, for more than before.
    private static let future: Query = """
        UPDATE subscriptions
        SET renewal_price = 1250, renewal_currency = 'USD', renews_at = '2026-12-01', renewal_offer_kind = 'promotional',
            renewal_offer_id = 'spring', renewal_offer_discount = 'pay_up_front', renewal_offer_period = 'P6M',
            price_consent = 'pending', win_back_offer_ids = '{back,again}', is_committed = true, commitment_period = 3,
            commitment_periods = 12, commitment_ends_at = '2027-09-01', commitment_price = 11988, commitment_currency = 'USD'
        """

    @Sendable private static func prepare(_ site: TestSite) async throws {
        try await site.addOrders(1)
        try await CustomersTests.addSubscription(site)
        _ = try await site.pool.query(future)
    }

    private static func judge(_ answer: [String: Any], _ name: String) throws {
        let next = try #require(answer["nextRenewal"] as? [String: Any], "\(name)")
        #expect(Set(next.keys) == ["renewsAt", "productId", "price", "currency", "offer", "priceConsent"])
        #expect(next["renewsAt"] as? String == "2026-12-01T00:00:00Z")
        #expect(next["productId"] as? String == "com.readmigo.pro.monthly")
        #expect(next["price"] as? Double == 12.5)
        #expect(next["currency"] as? String == "USD")
        #expect(next["priceConsent"] as? String == "PENDING")
        #expect(
            next["offer"] as? [String: String] == [
                "offerType": "PROMOTIONAL", "offerIdentifier": "spring", "discountType": "PAY_UP_FRONT",
                "period": "P6M",
            ]
        )
        let commitment = try #require(answer["commitment"] as? [String: Any], "\(name)")
        #expect((commitment["period"] as? Int, commitment["periods"] as? Int) == (3, 12))
        #expect(commitment["endsAt"] as? String == "2027-09-01T00:00:00Z")
        #expect(commitment["price"] as? Double == 119.88)
        #expect(commitment["renewalTurnedOffAt"] is NSNull)
        #expect(answer["winBackOfferIds"] as? [String] == ["back", "again"])
    }

    @Test("apps are told in each document's answer, and nothing is added where the store has said nothing")
    func apps() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.buyer()
            let paths = ["/subscriptions/status", "/api/v1/subscription/status", "/ios/status"]
            for path in paths {
                let answer = try await calls.ask(.get, path, token: token).object()
                let subscription = answer["data"] as? [String: Any] ?? answer
                for name in ["commitment", "winBackOfferIds"] { #expect(subscription[name] == nil, "\(path)") }
            }
            _ = try await calls.site.pool.query(Self.future)
            for path in paths {
                let answer = try await calls.ask(.get, path, token: token).object()
                try Self.judge(answer["data"] as? [String: Any] ?? answer, path)
            }
        }
    }

    @Test(
        "staff are told by the admin API, in the list and of one customer; of what does not renew there is no next renewal"
    )
    func staff() async throws {
        try await Programs.run(Self.prepare) { site, programs in
            func subscriptions(_ path: String) async throws -> [[String: Any]] {
                let body = Data(try await programs.get(path).text.utf8)
                let answer = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
                return try #require(answer["subscriptions"] as? [[String: Any]])
            }
            let paths = ["/admin/subscriptions", "/admin/subscriptions/\(TestSite.customer)"]
            for path in paths { try Self.judge(try #require(try await subscriptions(path).first), path) }
            _ = try await site.pool.query("UPDATE subscriptions SET renews_automatically = false, state = 'cancelled'")
            for path in paths { #expect(try await subscriptions(path).first?["nextRenewal"] is NSNull, "\(path)") }
        }
    }

    @Test("the pages of the subscription and of its customer say it in words")
    func pages() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.addOrders(1)
            try await CustomersTests.addSubscription(site)
            _ = try await site.pool.query(Self.future)
            try await site.app.test(.live) { client in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                let page = try await browser.get("/dashboard/subscriptions/\(CustomersTests.note)").text
                for text in [
                    "Promotional offer: spring, pay up front, 6 months", "customer has not agreed yet", "month 3 of 12",
                    "119.88 USD", "Next charge", "back", "again",
                ] {
                    #expect(page.contains(text), "\(text)")
                }
                let customer = try await browser.get("/dashboard/customers/\(TestSite.customer)").text
                for text in [
                    "next renewal: Promotional offer: spring",
                    "price increase to 12.50 USD: customer has not agreed yet",
                    "month 3 of 12",
                ] {
                    #expect(customer.contains(text), "\(text)")
                }
            }
        }
    }
}
