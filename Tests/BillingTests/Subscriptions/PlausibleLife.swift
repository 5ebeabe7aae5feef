import Billing
import Foundation

/// The events of one subscription as a store could tell them: trials, renewals, failed charges, upgrades, refunds,
/// pauses; some told twice in other words, some lost, some impossible. A seed names one life.
struct PlausibleLife {
    private(set) var events: [StoreEvent] = []
    private var random: SplitMix64
    private var day = 0.0
    private var sold: [StoreTransaction] = []
    private var renews = true
    /// What the store calls the subscription now, and what it called it before.
    private var name = (now: "t1", before: String?.none)

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        begin()
        let length = Int.random(in: 3...16, using: &random)
        let isWild = random.happens(20)
        while events.count < length {
            passTime()
            if name.before == nil, random.happens(3) { name = ("m1", "t1") }
            if isWild && random.happens(50) { tellAnything() } else { move() }
            if random.happens(8) { spoilLast() }
            if events.count > 1, random.happens(6) { events.removeLast() }
        }
    }

    // MARK: The beginning

    private mutating func begin() {
        if random.happens(6) {
            let kind: StoreTransaction.Kind = random.happens(50) ? .nonConsumable : .consumable
            sell(until: nil, kind: kind)
            tell(.purchasedOnce, last)
        } else if random.happens(30) {
            sell(until: 7, trial: true)
            tell(.subscribed, last)
        } else {
            sell(until: 30)
            tell(.subscribed, last)
        }
        // Whatever comes next is signed later, so that the history starts with an honest event.
        day += 0.001
    }

    // MARK: What happens next

    private mutating func move() {
        guard last.kind == .autoRenewable else { return tellAboutMoney() }
        switch Int.random(in: 0..<14, using: &random) {
        case 0...2: renew()
        case 3: failToRenew()
        case 4:
            renews.toggle()
            tell(renews ? .autoRenewEnabled : .autoRenewDisabled, last)
        case 5:
            let old = last
            sell(until: day + 30, from: day, product: "premium.monthly")
            if random.happens(70) { sold[sold.count - 2].isUpgraded = true }
            tell(random.happens(80) ? .upgraded : .observed, last)
            if random.happens(60) { tell(.refunded, takeBack(old)) }
        case 6: tell(random.happens(50) ? .downgradeScheduled : .planChangeCancelled, last)
        case 7: end()
        case 8: extend()
        case 9: tell(random.happens(60) ? .paused : .resumed, last)
        case 10:
            if random.happens(50) { sell(until: day + 30, from: day) }
            tell(.offerRedeemed, last)
        case 11:
            tell(
                [.informational, .priceIncreasePending, .priceIncreaseAccepted].randomElement(using: &random)
                    ?? .informational,
                last
            )
        case 12: tell([.subscribed, .renewed, .resubscribed].randomElement(using: &random) ?? .renewed, any)
        default: tellAboutMoney()
        }
    }

    private mutating func renew() {
        let start = max(day, end(of: last))
        day = start + (random.happens(20) ? -0.5 : 0.01)
        sell(until: start + 30, from: start, product: random.happens(15) ? "basic.monthly" : last.productID)
        tell(.renewed, last)
    }

    private mutating func failToRenew() {
        day = max(day, end(of: last))
        if random.happens(60) {
            let grace = day + 16
            tell(.gracePeriodEntered, last, .grace(until: grace))
            if random.happens(50) { return }
            day = grace
            tell(.gracePeriodExpired, last)
        } else {
            tell(.billingRetryEntered, last)
        }
        day += 2
        if random.happens(50) {
            sell(until: day + 30, from: day)
            tell(.recovered, last)
        }
    }

    private mutating func end() {
        day = max(day, end(of: last) + 0.02)
        tell(.expired, last)
        guard random.happens(60) else { return }
        day += Double.random(in: 1...200, using: &random)
        renews = true
        sell(until: day + 365, from: day, product: "premium.yearly")
        tell(.resubscribed, last)
    }

    private mutating func extend() {
        sold[sold.count - 1].expiresAt = last.expiresAt?.addingTimeInterval(14 * 86_400)
        tell(.renewalExtended, last)
    }

    private mutating func tellAboutMoney() {
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2: tell(last.isFamilyShared ? .revoked : .refunded, takeBack(any))
        case 3...4:
            guard let index = sold.indices.randomElement(using: &random) else { return }
            sold[index].revocation = nil
            tell(.refundReversed, sold[index])
        default: tell(random.happens(50) ? .refundRequested : .refundDeclined, any)
        }
    }

    // MARK: What cannot be, and what makes no sense

    private mutating func spoilLast() {
        guard events.count > 1, var event = events.popLast() else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            event.transaction.originalID = "another"
            event.transaction.previousOriginalID = nil
        case 1: event.store = .google
        case 2: event.environment = .sandbox
        case 3: event.transaction.price = .yuan(-18)
        case 4: event.transaction.expiresAt = event.transaction.purchasedAt
        case 5: event.transaction.price = Money(minorUnits: 1_800, currency: .named("JPY"))
        case 6: event.transaction.revocation = StoreTransaction.Revocation(at: .day(day), milliPercent: 100_001)
        default: event.transaction.quantity = 0
        }
        events.append(event)
    }

    private mutating func tellAnything() {
        let kind = StoreEvent.Kind.allCases.randomElement(using: &random) ?? .informational
        tell(kind, any)
    }

    // MARK: Telling

    private var last: StoreTransaction { sold[sold.count - 1] }

    private var any: StoreTransaction {
        mutating get { sold.randomElement(using: &random) ?? last }
    }

    private func end(of transaction: StoreTransaction) -> Double {
        (transaction.expiresAt ?? .day(day)).timeIntervalSince(.day(0)) / 86_400
    }

    private mutating func sell(
        until end: Double?,
        from start: Double = 0,
        product: String = "pro.monthly",
        kind: StoreTransaction.Kind = .autoRenewable,
        trial: Bool = false
    ) {
        let prices: [Money?] = [.yuan(18), .yuan(128), .yuan(9, fen: 99), .yuan(0), nil]
        let isFamily = sold.first?.isFamilyShared ?? random.happens(8)
        sold.append(
            .sold(
                "t\(sold.count + 1)",
                from: start,
                to: end,
                for: trial
                    ? .yuan(0)
                    : prices[
                        random.happens(80)
                            ? Int.random(in: 0...2, using: &random) : Int.random(in: 3...4, using: &random)
                    ],
                product,
                kind: kind,
                trial: trial,
                family: isFamily
            )
        )
        // As Apple does: on all devices and after restores the same.
        sold[sold.count - 1].purchaseID = "w\(sold.count)"
    }

    private mutating func takeBack(_ transaction: StoreTransaction) -> StoreTransaction {
        guard let index = sold.firstIndex(where: { $0.id == transaction.id }) else { return transaction }
        let share = random.happens(50) ? nil : Int.random(in: 0...100_000, using: &random)
        sold[index] = sold[index].takenBack(on: day, milliPercent: share)
        return sold[index]
    }

    private mutating func tell(
        _ kind: StoreEvent.Kind,
        _ transaction: StoreTransaction,
        _ terms: RenewalTerms? = nil
    ) {
        var transaction = transaction
        transaction.originalID = name.now
        transaction.previousOriginalID = name.before
        let guess = transaction.kind == .autoRenewable && random.happens(50) ? RenewalTerms.renews(renews) : nil
        let id = String(random.next(), radix: 16)
        events.append(.told(kind, on: day, transaction, terms ?? guess, id: id))
    }

    /// Hours, days, or nothing: messages of one millisecond are ordered by their ids.
    private mutating func passTime() {
        guard events.count > 1, random.happens(15) else {
            day += Double.random(in: 0.001...(random.happens(30) ? 20 : 1), using: &random)
            return
        }
    }
}
