import Billing
import Foundation
import Testing

@Suite("what each event does in each state")
struct SubscriptionTransitionTests {
    @Test("about the current period", arguments: try Cell.read(TransitionTable.current))
    func current(_ cell: Cell) throws {
        // Only an extension describes the same transaction with another end.
        try cell.check(.sold("t1", from: 0, to: cell.kind == .renewalExtended ? 60 : 30))
    }

    @Test("about a later period", arguments: try Cell.read(TransitionTable.later))
    func later(_ cell: Cell) throws {
        try cell.check(.sold("t2", from: 30, to: 60))
    }

    @Test("about an earlier period", arguments: try Cell.read(TransitionTable.earlier))
    func earlier(_ cell: Cell) throws {
        try cell.check(.sold("t0", from: -30, to: 0))
    }

    @Test("the tables name every kind and state")
    func complete() throws {
        for (table, states) in [
            (TransitionTable.current, 10), (TransitionTable.later, 10), (TransitionTable.earlier, 9),
        ] {
            let cells = try Cell.read(table)
            #expect(Set(cells.map(\.kind)) == Set(StoreEvent.Kind.allCases))
            #expect(cells.count == StoreEvent.Kind.allCases.count * states)
        }
    }

    @Test("renewal terms cancel and uncancel what runs, also when their own message was lost")
    func termsHeal() {
        let first = StoreTransaction.sold("t1", from: 0, to: 30)
        let off = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first, .renews()),
            .told(.priceIncreasePending, on: 3, first, .renews(false))
        )
        #expect(off.subscription.state == .cancelled)
        #expect(off.subscription.cancelledAt == .day(3))
        let on = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first, .renews()),
            .told(.autoRenewDisabled, on: 3, first, .renews(false)),
            .told(.refundRequested, on: 4, first, .renews())
        )
        #expect(on.subscription.state == .active)
        #expect(on.subscription.cancelledAt == nil)
    }

    @Test("an event offered after a later one is refused")
    func outOfOrder() throws {
        var subscription = try Subscription.sample(in: .gracePeriod)
        let rejectionReason = #expect(throws: TransitionRefused.self) {
            try subscription.apply(.told(.autoRenewDisabled, on: 29, .sold("t1", from: 0, to: 30)))
        }
        #expect(rejectionReason?.code == .outOfOrder)
    }
}
