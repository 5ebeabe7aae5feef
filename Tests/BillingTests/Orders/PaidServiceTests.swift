import Billing
import Foundation
import Testing

@Suite("Days of paid service, which a store's share goes by") struct PaidServiceTests {
    /// Days of paid service before each charge, in the order of the charges.
    private static func days(_ events: StoreEvent...) -> [Int] { days(events) }

    private static func days(_ events: [StoreEvent]) -> [Int] {
        SubscriptionHistory(events).replay().books.orders.map(\.paidDays)
    }

    private static func bought(
        _ id: String,
        _ start: Double,
        _ end: Double,
        for price: Money? = .yuan(18),
        _ product: String = "pro.monthly",
        _ kind: StoreEvent.Kind = .renewed,
        trial: Bool = false
    ) -> StoreEvent {
        .told(
            id == "t1" ? .subscribed : kind,
            on: start,
            .sold(id, from: start, to: end, for: price, product, trial: trial)
        )
    }

    @Test("periods that follow one another add up, and a whole year of days begins the second year")
    func year() {
        #expect(
            Self.days(Self.bought("t1", 0, 365), Self.bought("t2", 365, 730), Self.bought("t3", 730, 1_095)) == [
                0, 365, 730,
            ]
        )
        let share = StoreFee.Share(firstYear: 3_000, later: 1_500)
        #expect([0, 364, 365, 730].map(share.basisPoints) == [3_000, 3_000, 1_500, 1_500])
    }

    @Test("an upgrade and a crossgrade of the group go on, and the part that an upgrade took is counted once")
    func otherProducts() {
        let month = Self.bought("t1", 0, 30)
        let upgrade = StoreEvent.told(.upgraded, on: 10, .sold("t2", from: 10, to: 375, for: .yuan(128), "pro.yearly"))
        #expect(Self.days(month, upgrade, Self.bought("t3", 375, 405, "premium.monthly")) == [0, 10, 375])
    }

    @Test("a free trial and another free period have no days; what is paid for at a discount has")
    func offers() {
        let trial = Self.bought("t1", 0, 7, for: .yuan(0), trial: true)
        let introductory = Self.bought("t2", 7, 37, for: .yuan(1))
        let free = Self.bought("t3", 37, 67, for: .yuan(0))
        #expect(Self.days(trial, introductory, free, Self.bought("t4", 67, 97)) == [0, 0, 30, 30])
    }

    @Test(
        "days stop at the end, go on within 60 days, and begin anew after that",
        arguments: [(90, 30), (90.5, 0), (200, 0)]
    )
    func lapse(_ start: Double, _ days: Int) {
        #expect(Self.days(Self.bought("t1", 0, 30), Self.bought("t2", start, start + 30)) == [0, days])
    }

    @Test("a charge that fails stops the days; one that is recovered within the grace period leaves no gap")
    func recovered() throws {
        func date(_ day: String) throws -> Date { try Date("\(day)T00:00:00Z", strategy: .iso8601) }
        func sold(_ id: String, _ start: String, _ end: String) throws -> StoreTransaction {
            var sold = StoreTransaction.sold(id, from: 0, to: 0)
            (sold.purchasedAt, sold.expiresAt) = (try date(start), try date(end))
            return sold
        }
        func told(_ kind: StoreEvent.Kind, _ sold: StoreTransaction) -> StoreEvent {
            StoreEvent(
                id: sold.id,
                store: .apple,
                environment: .production,
                signedAt: sold.purchasedAt,
                kind: kind,
                transaction: sold
            )
        }
        let first = told(.subscribed, try sold("t1", "2026-02-01", "2026-03-01"))
        let next = told(.renewed, try sold("t3", "2026-04-01", "2026-05-01"))
        let inGrace = told(.recovered, try sold("t2", "2026-03-03", "2026-04-01"))
        #expect(Self.days(first, inGrace, next) == [0, 28, 59])
        let inRetry = told(.recovered, try sold("t2", "2026-03-20", "2026-04-20"))
        let after = told(.renewed, try sold("t3", "2026-04-20", "2026-05-20"))
        #expect(Self.days(first, inRetry, after) == [0, 28, 59])
        #expect(try Self.days(first, inRetry, after, told(.renewed, sold("t4", "2026-05-20", "2026-06-20"))).last == 89)
    }

    @Test("what was given back in full has no days, whenever it was, and has them again when that is taken back")
    func refunded() {
        let first = StoreTransaction.sold("t1", from: 0, to: 30)
        let events = [StoreEvent.told(.subscribed, on: 0, first), Self.bought("t2", 30, 60), Self.bought("t3", 60, 90)]
        let refund = StoreEvent.told(.refunded, on: 70, first.takenBack(on: 70, milliPercent: 100_000))
        #expect(Self.days(events + [refund]) == [0, 0, 30])
        #expect(Self.days(events + [refund, .told(.refundReversed, on: 75, first)]) == [0, 30, 60])
    }

    @Test("a refund in part ends the days with the access that it ends")
    func refundedInPart() {
        let first = StoreTransaction.sold("t1", from: 0, to: 30)
        let refund = StoreEvent.told(.refunded, on: 12, first.takenBack(on: 12, milliPercent: 60_000))
        #expect(Self.days(.told(.subscribed, on: 0, first), refund, Self.bought("t2", 40, 70)) == [0, 12])
        // 60 days from day 12 are over on day 72.
        #expect(Self.days(.told(.subscribed, on: 0, first), refund, Self.bought("t2", 73, 103)) == [0, 0])
    }

    @Test("an extension has no days, and is no lapse")
    func extended() {
        let first = StoreTransaction.sold("t1", from: 0, to: 30)
        let extended = StoreEvent.told(.renewalExtended, on: 20, .sold("t1", from: 0, to: 100))
        #expect(Self.days(.told(.subscribed, on: 0, first), extended, Self.bought("t2", 100, 130)) == [0, 30])
    }

    @Test("days of a charge whose amount is not known yet count")
    func unpriced() {
        #expect(Self.days(Self.bought("t1", 0, 30, for: nil), Self.bought("t2", 30, 60)) == [0, 30])
    }

    @Test("whatever comes in whatever order, the days are the same")
    func anyOrder() {
        var events = (0..<14).map { Self.bought("t\($0 + 1)", Double($0) * 30, Double($0 + 1) * 30) }
        events.append(
            .told(
                .refunded,
                on: 200,
                StoreTransaction.sold("t3", from: 60, to: 90).takenBack(on: 200, milliPercent: 100_000)
            )
        )
        let expected = [0, 30, 60] + (3..<14).map { ($0 - 1) * 30 }
        for seed in UInt64(0)..<20 {
            var random = SplitMix64(seed: seed)
            #expect(Self.days(events.shuffled(using: &random)) == expected)
        }
    }

    @Test("dates beyond all reason are no trap")
    func bounds() {
        var sold = StoreTransaction.sold("t1", from: 0, to: 1)
        sold.expiresAt = Date(timeIntervalSince1970: 1e300)
        let next = StoreEvent.told(.renewed, on: 5, .sold("t2", from: 5, to: 6))
        #expect(Self.days(.told(.subscribed, on: 0, sold), next).first == 0)
    }
}

@Suite("A store's terms, by storefront and date") struct StoreTermsTests {
    private static func share(_ fee: StoreFee, _ number: Int) -> [Int] {
        let share = fee.share(under: number, at: .apple)
        return [share.firstYear, share.later]
    }

    @Test("Google's 10 and 5 % are its 15 % of before, by country and date, and are in no charge's terms")
    func google() throws {
        let parts = StoreTerms.googleParts
        #expect(StoreTerms.google.allSatisfy { $0.share.firstYear == parts.service + parts.billing })
        #expect(StoreTerms.google.allSatisfy { $0.share == .standard(at: .google) && $0.store == .google })
        func since(_ storefront: String) -> String? {
            let terms = StoreTerms.google.filter { $0.storefronts.contains(storefront) }
            guard terms.count == 1 else { return nil }
            return terms.first?.since?.formatted(.iso8601.year().month().day())
        }
        #expect(["USA", "GBR", "DEU", "NOR", "ISL", "LIE"].allSatisfy { since($0) == "2026-06-30" })
        #expect(since("AUS") == "2026-09-30")
        #expect(since("JPN") == "2026-12-31" && since("KOR") == "2026-12-31")
        #expect(since("BRA") == nil)
        #expect(Set(StoreTerms.google.map(\.number)).isDisjoint(with: StoreTerms.usual.map(\.number)))
    }

    @Test("the product's table has the terms of 2026, and the world's for the rest")
    func usual() {
        let fee = StoreFee(isOnIOSOnly: true)
        #expect(Self.share(fee, StoreTerms.world) == [3_000, 1_500])
        #expect(StoreTerms.usual.map(\.number) == [1, 2, 3, 4])
        #expect(
            [1, 2, 3, 4].map { Self.share(fee, $0) } == [
                [2_500, 1_200], [2_600, 1_500], [2_600, 1_500], [2_600, 1_500],
            ]
        )
        #expect(fee.isOfWorld(0, at: .apple) && !fee.isOfWorld(1, at: .apple))
    }

    @Test("China's are for what is sold on iOS and iPadOS alone, which only the catalogue can say")
    func china() {
        #expect(Self.share(StoreFee(), 1) == [3_000, 1_500])
        #expect(StoreFee().isOfWorld(1, at: .apple))
    }

    @Test("what a catalogue says of all charges holds everywhere but where it says otherwise")
    func overridden() {
        let china = StoreTerms(
            number: 100,
            store: .apple,
            storefronts: ["CHN"],
            since: nil,
            share: StoreFee.Share(firstYear: 1_200, later: 1_200)
        )
        var fee = StoreFee(firstYear: 1_500, later: 1_500)
        fee.storefronts = [china]
        #expect([0, 2, 100].map { Self.share(fee, $0) } == [[1_500, 1_500], [1_500, 1_500], [1_200, 1_200]])
        #expect(fee.isOfWorld(2, at: .apple) && !fee.isOfWorld(100, at: .apple))
    }
}
