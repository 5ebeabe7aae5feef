import Billing
import Foundation
import Testing

@testable import StoreSimulator

@Suite("Simulated lives")
struct SimulatedSubscribersTests {
    static let end = Date(timeIntervalSince1970: 1_795_000_000)
    static let small = SimulatedSubscribers(seed: 7, customers: 60, months: 14, endingAt: end)
    static let told = small.notifications()

    @Test("the same seed and end give the same business, another seed another")
    func repeatable() {
        let again = SimulatedSubscribers(seed: 7, customers: 60, months: 14, endingAt: Self.end)
        #expect(again.notifications() == Self.told)
        #expect(again.people == Self.small.people)
        let other = SimulatedSubscribers(seed: 8, customers: 60, months: 14, endingAt: Self.end)
        #expect(other.notifications() != Self.told)
        let ids = Set(Self.told.compactMap { $0.transaction?.id })
        #expect(ids.isDisjoint(with: other.notifications().compactMap { $0.transaction?.id }))
    }

    @Test("more customers leave the lives of the first ones alone")
    func independent() {
        let more = SimulatedSubscribers(seed: 7, customers: 90, months: 14, endingAt: Self.end)
        #expect(Array(more.customers.prefix(60)) == Self.small.customers)
        #expect(more.notifications(of: 41) == Self.small.notifications(of: 41))
    }

    @Test("a small crowd shows every kind of notification about a subscription, a test and a type unknown")
    func everyKind() {
        let kinds = Set(Self.told.map { [$0.type, $0.subtype].compactMap(\.self).joined(separator: "/") })
        let expected: Set = [
            "SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE", "DID_RENEW", "DID_RENEW/BILLING_RECOVERY",
            "DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_CHANGE_RENEWAL_PREF",
            "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
            "DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "EXPIRED/VOLUNTARY",
            "EXPIRED/BILLING_RETRY", "EXPIRED/PRICE_INCREASE", "EXPIRED/PRODUCT_NOT_FOR_SALE", "EXPIRED",
            "PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED",
            "CONSUMPTION_REQUEST", "REVOKE", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/FAILURE", "OFFER_REDEEMED", "TEST",
            "LOYALTY_LEVEL_CHANGED",
        ]
        #expect(kinds == expected)
        #expect(Self.told.contains { $0.transaction?.revocation?.type == "REFUND_PRORATED" })
        #expect(Self.told.contains { $0.transaction?.isFreeTrial == true })
        #expect(Self.told.contains { $0.transaction?.isFamilyShared == true })
        #expect(Self.told.contains { $0.environment == .sandbox })
    }

    @Test("an app of another country sells there, at its own prices, and nearly at the same ones elsewhere")
    func elsewhere() throws {
        let kombin = SimulatedSubscribers(seed: 7, customers: 60, months: 12, endingAt: Self.end, catalog: .kombin)
        let told = kombin.notifications()
        #expect(Set(told.map(\.bundleID)) == ["com.kombinapp.app"])
        let charges = told.compactMap(\.transaction).filter { $0.price > 0 && $0.offerIdentifier == nil }
        let monthly = charges.filter { $0.product.id == "com.kombinapp.premium.monthly" }
        #expect(monthly.contains { $0.currency == "TRY" && $0.price == 129_990 })
        let turkish = kombin.customers.filter { $0.storefront.country == "TUR" }.count
        #expect(turkish > 40)
        let product = try #require(SimulatedCatalog.kombin.products.first { $0.id == "com.kombinapp.premium.monthly" })
        let prices = SimulatedStorefront.weighted.map { $0.storefront }.reduce(into: [:]) { prices, storefront in
            prices[storefront.currency] = storefront.price(of: product)
        }
        let expected: [String: Int64] = [
            "CNY": 28_000, "TRY": 129_990, "USD": 3_990, "EUR": 3_990, "GBP": 2_990, "JPY": 600_000,
        ]
        #expect(prices == expected)
    }

    @Test("those who ask for their money back last have paid, still hold it, and wait for an answer at the end")
    func openCases() {
        let asked = Self.small.openCases(among: Self.told)
        #expect(!asked.isEmpty && asked.count <= 3)
        #expect(Set(asked.compactMap(\.customer)).count == asked.count)
        for request in asked {
            #expect(request.type == "CONSUMPTION_REQUEST" && request.consumptionRequestReason != nil)
            #expect(request.signedDate < Self.end && request.signedDate > Self.end.addingTimeInterval(-12 * 3_600))
            #expect(request.transaction.map { $0.price > 0 && $0.expiresDate > Self.end } == true)
        }
        #expect(Self.small.openCases(among: Self.told) == asked)
        #expect(Self.small.openCases(among: []) == [])
    }

    @Test("each customer is told of in order of signing, by one token, until the end and no further")
    func ordered() {
        #expect(Self.told == Self.told.sorted { $0.signedDate < $1.signedDate })
        #expect(Self.told.allSatisfy { $0.signedDate <= Self.end && $0.signedDate >= Self.small.start })
        for number in Self.small.customers.indices {
            let life = Self.small.notifications(of: number)
            #expect(zip(life, life.dropFirst()).allSatisfy { $0.signedDate < $1.signedDate })
            #expect(Set(life.compactMap { $0.transaction?.appAccountToken }).count <= 1)
            #expect(Set(life.compactMap { $0.transaction?.originalID }).count <= 1)
        }
        #expect(Set(Self.told.map(\.notificationUUID)).count == Self.told.count)
    }

    @Test("every charge has a transaction id of its own, and a period that starts no later than it ends")
    func charges() {
        let charging = Self.told.filter {
            ["SUBSCRIBED", "DID_RENEW"].contains($0.type) || $0.subtype == "UPGRADE"
        }
        let ids = charging.compactMap { $0.transaction?.id }
        #expect(ids.count == charging.count)
        #expect(Set(ids).count == ids.count)
        #expect(charging.allSatisfy { ($0.transaction?.purchaseDate ?? .distantFuture) <= $0.signedDate })
        #expect(Self.told.compactMap(\.transaction).allSatisfy { $0.purchaseDate < $0.expiresDate })
        #expect(Self.told.compactMap(\.transaction).allSatisfy { $0.price == 0 || $0.price >= 900 })
    }

    @Test(
        "a large crowd is a believable business: it grows, few leave each month, and most that joined are still there"
    )
    func believable() {
        let lives = SimulatedSubscribers(seed: 1, customers: 2_000, months: 18, endingAt: Self.end)
        let told = lives.notifications()
        var latest: [UUID: SimulatedNotification] = [:]
        for notification in told {
            if let customer = notification.customer { latest[customer] = notification }
        }
        var final: [Int64: Int] = [:]
        for notification in latest.values { final[notification.status ?? 0, default: 0] += 1 }
        #expect(latest.count == 2_000)
        #expect((900...1_500).contains(final[1] ?? 0))
        #expect((350...950).contains(final[2] ?? 0))
        #expect((final[3] ?? 0) >= 2)
        #expect((final[4] ?? 0) >= 2)
        #expect((final[5] ?? 0) >= 5)
        let half = lives.start.addingTimeInterval(lives.end.timeIntervalSince(lives.start) / 2)
        let early = lives.customers.count { $0.joinsAt < half }
        #expect((600...900).contains(early))
        let home = lives.customers.count { $0.storefront.country == "CHN" }
        #expect((1_600...1_760).contains(home))
    }

    @Test("prices rise for whoever buys afterwards, and while the store cannot charge nobody buys and renewals fail")
    func turns() {
        let end = Self.end
        let lives = SimulatedSubscribers(
            seed: 1,
            customers: 2_000,
            months: 24,
            endingAt: end,
            turns: SimulatedTurns.usual
        )
        let turns = SimulatedTurns.usual(from: lives.start, to: end)
        let told = lives.notifications().filter { $0.environment == .production }
        let bought = told.compactMap { notification in
            notification.type == "SUBSCRIBED" ? notification.transaction : nil
        }.filter { $0.product.id == "com.readmigo.pro.monthly" && $0.currency == "CNY" && !$0.isFamilyShared }
        #expect(Set(bought.filter { $0.purchaseDate < turns.pricesRiseAt }.map(\.price)) == [18_000])
        #expect(Set(bought.filter { $0.purchaseDate >= turns.pricesRiseAt }.map(\.price)) == [21_000])

        let before = DateInterval(start: turns.outage.start - 3 * 86_400, duration: turns.outage.duration)
        let failed = told.filter { $0.type == "DID_FAIL_TO_RENEW" }
        #expect(!lives.customers.contains { turns.outage.contains($0.joinsAt) })
        #expect(lives.customers.contains { before.contains($0.joinsAt) })
        #expect(
            failed.count { turns.outage.contains($0.signedDate) } > 5 * failed.count { before.contains($0.signedDate) }
        )
    }

    @Test("people have names that try a page's manners, and addresses that no one owns")
    func people() {
        let people = Self.small.people
        #expect(people.count == 60)
        #expect(people[Self.small.customers[0].token]?.name == "İbrahim Çelik")
        #expect(people.values.contains { $0.name == "O'Neil <b>" })
        #expect(Set(people.values.map(\.email)).count == 60)
        #expect(people.values.allSatisfy { $0.email.hasSuffix("@example.com") || $0.email.hasSuffix("@example.org") })
    }
}
