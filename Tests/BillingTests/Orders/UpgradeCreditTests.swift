import Billing
import Foundation
import Testing

@Suite("the credit of an upgrade")
struct UpgradeCreditTests {
    let old = StoreTransaction.sold("t1", from: 0, to: 30, for: .yuan(30))
    let new = StoreTransaction.sold("t2", from: 10, to: 40, for: .yuan(60), "premium.monthly")
    var bought: StoreEvent { .told(.subscribed, on: 0, old) }
    var upgraded: StoreEvent { .told(.upgraded, on: 10, new) }

    @Test("the old order is superseded and its unused part credited, dated at the upgrade and brought by its event")
    func credited() throws {
        let order = try SubscriptionHistory.outcome(bought, upgraded).order("t1")
        #expect(order.status == .superseded)
        #expect(order.supersession == Supersession(at: .day(10), eventID: upgraded.id))
        let credit = try #require(order.entries.last)
        #expect(credit.kind == .upgradeCredit && credit.amount == .yuan(-20))
        #expect(credit.occurredAt == .day(10) && credit.eventID == upgraded.id)
        #expect((order.refunded, order.credited, order.kept) == (.yuan(0), .yuan(20), .yuan(10)))
        #expect(order.givenBackAt == nil)
    }

    @Test("the new order keeps its whole charge")
    func newOrder() throws {
        #expect(try SubscriptionHistory.outcome(bought, upgraded).ledger("t2") == "upgrade 60.00")
    }

    @Test(
        "where the store took the unused part off the new price, nothing is credited beside it",
        arguments: [Store.google, .wechat]
    )
    func takenOff(store: Store) throws {
        var (bought, upgraded) = (bought, upgraded)
        (bought.store, upgraded.store) = (store, store)
        let outcome = SubscriptionHistory.outcome(bought, upgraded)
        #expect(try outcome.order("t1").status == .superseded)
        #expect(try outcome.ledger("t1") == "initial_purchase 30.00")
        #expect(try outcome.ledger("t2") == "upgrade 60.00")
    }

    @Test("half a fen is rounded away from zero")
    func rounding() throws {
        let odd = StoreTransaction.sold("t1", from: 0, to: 2, for: Money(minorUnits: 5, currency: .cny))
        let half = StoreTransaction.sold("t2", from: 1, to: 31)
        let outcome = SubscriptionHistory.outcome(.told(.subscribed, on: 0, odd), .told(.upgraded, on: 1, half))
        #expect(try outcome.order("t1").credited.minorUnits == 3)
    }

    @Test("that the store says the old one was upgraded is enough, where the message of the upgrade is lost")
    func saidOfTheOldOne() throws {
        var superseded = old
        superseded.isUpgraded = true
        let observed = StoreEvent.told(.observed, on: 12, new)
        #expect(try SubscriptionHistory.outcome(bought, observed).order("t1").status == .completed)
        let answered = SubscriptionHistory.outcome(bought, observed, .told(.observed, on: 13, superseded))
        #expect(try answered.ledger("t1") == "initial_purchase 30.00, upgrade_credit -20.00")
    }

    @Test("until the upgrade itself is known nothing is credited: its moment is not known")
    func upgradeUnknown() throws {
        var superseded = old
        superseded.isUpgraded = true
        let order = try SubscriptionHistory.outcome(bought, .told(.observed, on: 13, superseded)).order("t1")
        #expect(order.status == .completed && order.credited == .yuan(0))
    }

    @Test("what the store says of the end of a period after its upgrade changes no credit")
    func endAfterUpgrade() throws {
        var cut = old
        (cut.isUpgraded, cut.expiresAt) = (true, .day(10))
        let outcome = SubscriptionHistory.outcome(bought, upgraded, .told(.observed, on: 13, cut))
        #expect(try outcome.order("t1").credited == .yuan(20))
    }

    @Test("what is refunded is taken off the credit, whenever it was: no money is given back twice")
    func refundedBefore() throws {
        let refund = StoreEvent.told(.refunded, on: 5, old.takenBack(on: 5, milliPercent: 50_000))
        let partly = try SubscriptionHistory.outcome(bought, refund, upgraded).order("t1")
        #expect((partly.refunded, partly.credited, partly.kept) == (.yuan(15), .yuan(5), .yuan(10)))
        #expect(partly.status == .superseded)
        let full = try SubscriptionHistory.outcome(bought, upgraded, .told(.refunded, on: 20, old.takenBack(on: 20)))
            .order("t1")
        #expect((full.refunded, full.credited, full.status) == (.yuan(30), .yuan(0), .refunded))
    }

    @Test("a refund of the upgrade takes no credit back: it is the money of another charge")
    func upgradeRefunded() throws {
        let outcome = SubscriptionHistory.outcome(bought, upgraded, .told(.refunded, on: 11, new.takenBack(on: 11)))
        #expect(try outcome.ledger("t1") == "initial_purchase 30.00, upgrade_credit -20.00")
        #expect(try outcome.ledger("t2") == "upgrade 60.00, refund -60.00")
    }

    @Test("a free trial is superseded without a credit")
    func trial() throws {
        let trial = StoreTransaction.sold("t1", from: 0, to: 30, for: .yuan(0), trial: true)
        let order = try SubscriptionHistory.outcome(.told(.subscribed, on: 0, trial), upgraded).order("t1")
        #expect(order.status == .superseded && order.entries.count == 1)
    }

    @Test("what begins when the period is over, or is no upgrade, supersedes nothing")
    func noUpgrade() throws {
        let later = StoreTransaction.sold("t2", from: 30, to: 60)
        #expect(
            try SubscriptionHistory.outcome(bought, .told(.upgraded, on: 30, later)).order("t1").status == .completed
        )
        #expect(try SubscriptionHistory.outcome(bought, .told(.renewed, on: 10, new)).order("t1").status == .completed)
    }

    @Test("a refund that is known late takes the credit back by a reversal, never by a changed row")
    func lateRefund() throws {
        let refund = StoreEvent.told(.refunded, on: 5, old.takenBack(on: 5))
        var rows: [String: Money] = [:]
        for entry in try SubscriptionHistory.outcome(bought, upgraded).order("t1").entries {
            rows[entry.reference] = entry.amount
        }
        let missing = try SubscriptionHistory.outcome(bought, upgraded, refund).order("t1")
            .entries(missingFrom: rows, dueTo: refund)
        #expect(missing.map(\.kind) == [.refund, .upgradeCreditReversal])
        #expect(missing.map(\.amount) == [.yuan(-30), .yuan(20)])
        #expect(missing.map(\.occurredAt) == [.day(5), .day(10)])
    }

    @Test("money that people gave back by hand is taken off, too")
    func byHand() throws {
        let order = try SubscriptionHistory.outcome(bought, upgraded).order("t1")
        let hand = ManualRefund(number: "RF-000001", amount: .yuan(25), bookedAt: .day(5), payer: .elsewhere)
        let booked = order.including([hand])
        #expect((booked.refunded, booked.credited, booked.kept) == (.yuan(25), .yuan(0), .yuan(5)))
    }

    @Test("of a superseded order what is left can be given back, and no unused part")
    func refundable() throws {
        let order = RefundableOrder(
            status: .superseded,
            amount: .yuan(30),
            refunded: .yuan(0),
            credited: .yuan(20),
            held: .yuan(0),
            periodStartsAt: .day(0),
            periodEndsAt: .day(30)
        )
        #expect(order.left == .yuan(10))
        #expect(throws: RefundRefused.self) { try order.proration(at: .day(11)) }
    }

    @Test("that the old one was upgraded is believed of every message, also of one that tells of metadata alone")
    func saidInPassing() throws {
        var superseded = old
        superseded.isUpgraded = true
        for kind in [StoreEvent.Kind.informational, .observed, .refundDeclined] {
            let outcome = SubscriptionHistory.outcome(
                bought,
                .told(.renewed, on: 10, new),
                .told(kind, on: 12, superseded)
            )
            #expect(try outcome.ledger("t1") == "initial_purchase 30.00, upgrade_credit -20.00", "\(kind)")
            #expect(outcome.subscription.productID == new.productID)
        }
    }
}
