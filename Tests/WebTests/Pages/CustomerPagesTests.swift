import Billing
import Foundation
import HTML
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Pages about customers and subscriptions") struct CustomerPagesTests {
    @Test("an analyst's pages name nobody, show no payload and hold no note")
    func analyst() {
        let pages = [CustomerIndexPage.analystSample.html(), CustomerShowPage.analystSample.html()]
        for page in pages {
            for (name, email, _) in Sample.customers {
                for secret in [name, email].compactMap({ $0 }) { #expect(!page.contains(secret), "\(secret)") }
            }
            #expect(!page.contains("prefers e-mail"))
            #expect(!page.contains("/notes"))
        }
    }

    @Test("what staff wrote and what a store sent is text, and what would let somebody in is masked")
    func hostile() {
        let page = CustomerShowPage.sample.html()
        #expect(page.contains("&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(page.contains("&lt;/script&gt;&lt;img onerror=1&gt;"))
        #expect(!page.contains("eyJ.eyJ.sig") && !page.contains("s3cret") && !page.contains("s4cret"))
        #expect(page.contains("2026-12-01") && page.contains("2026-12-31"))
        #expect(!page.contains("<span class=\"muted\">plan:</span>"), "what did not change is not a change")
    }

    @Test("the card says what lies underneath the plan, and what ended is not there")
    func card() {
        let card = EntitlementCard(
            Sample.customerDetails.subscriptions,
            held: Sample.customerDetails.entitlementSources,
            standing: Sample.customerDetails.entitlementSources.standing(basePlan: nil, at: Sample.now),
            loss: nil,
            from: nil,
            zone: Sample.viewer.zone,
            Sample.viewer.strings,
            now: Sample.now
        )
        #expect(card.plan == "PREMIUM")
        #expect(card.underneath.map(\.text) == ["PRO, WeChat Pay, until 30 Nov 2026"])
        #expect(card.source == "Apple, Pro yearly")
        #expect(card.until?.contains("24 days left") == true)
    }

    @Test("a person may withdraw their own note and no other's")
    func notes() {
        let page = CustomerShowPage.sample.html()
        #expect(page.contains("/notes/\(Sample.note(1, by: 500).id)/withdraw"))
        #expect(!page.contains("/notes/\(Sample.note(2, by: 501).id)/withdraw"))
    }

    @Test("the way back stays inside and is called what it is")
    func back() {
        #expect(CustomerShowPage.analystSample.backHref == DashboardPath.customers)
        #expect(CustomerShowPage.sample.backHref == "/dashboard/customers?q=lina")
        func name(_ path: String) -> String {
            BackText.name(of: path, otherwise: "elsewhere", Sample.viewer.strings).description
        }
        #expect(name("/dashboard/orders/ORD-1") == "Order")
        #expect(name("/dashboard/orders?q=1") == "Orders")
        #expect(name("/dashboard/find?q=1") == "Search")
        #expect(name("/dashboard/elsewhere") == "elsewhere")
    }

    @Test("removing a chip removes that filter alone, and every filter has one")
    func chips() throws {
        let page = CustomerIndexPage.noMatchSample
        #expect(page.chips.count == 6)
        let whole = CustomerFilter(
            search: "<b>",
            plan: .noAccess,
            store: .wechat,
            hasRefunds: true,
            from: BusinessDay("2026-01-01"),
            to: BusinessDay("2026-01-31")
        ).path
        let parameters = Set(whole.split(separator: "?")[1].split(separator: "&"))
        for chip in page.chips {
            let left = Set(chip.removeHref.split(separator: "?")[1].split(separator: "&"))
            #expect(parameters.subtracting(left).count == 1 && left.isSubset(of: parameters))
        }
        #expect(SubscriptionIndexPage.noMatchSample.chips.count == 7)
        #expect(SubscriptionIndexPage.noMatchSample.html().contains("Customer: 李娜"))
        #expect(SubscriptionIndexPage.noMatchSample.hint != nil)
    }

    @Test("a filter's address reads back as the filter")
    func addresses() throws {
        let customers = [
            CustomerFilter(), CustomerFilter(search: "李 娜&", plan: .plan(code: "none"), direction: .ascending),
            CustomerFilter(plan: .noAccess, store: .google, hasRefunds: true, from: BusinessDay("2026-02-28")),
            CustomerFilter(given: .trial), CustomerFilter(given: .promoCode), CustomerFilter(given: .staff),
        ]
        for filter in customers {
            #expect(try CustomerFilter(query: pairs(filter.path)) == filter)
        }
        let subscriptions = [
            SubscriptionFilter(),
            SubscriptionFilter(state: .trialExpired, plan: "PRO", store: .alipay, environment: .sandbox),
            SubscriptionFilter(
                search: "2000",
                customer: Customer.ID(Sample.uuid(1)),
                renewsWithin: 30,
                sort: .end,
                direction: .ascending
            ),
        ]
        for filter in subscriptions {
            #expect(try SubscriptionFilter(query: pairs(filter.path)) == filter)
        }
        #expect(
            try SubscriptionFilter(query: pairs("?renews=8&state=gone&store=X&sort=y&dir=z")) == SubscriptionFilter()
        )
        #expect(throws: InvalidCursor.self) { try CustomerFilter(query: pairs("?after=x")) }
    }

    private func pairs(_ path: String) throws -> [(name: String, value: String)] {
        try URLEncoded(path.split(separator: "?", maxSplits: 1).dropFirst().first ?? path.dropFirst()).pairs
    }
}
