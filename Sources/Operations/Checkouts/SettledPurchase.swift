import Billing
import Foundation
import Storage

/// The events that a payment of one of our orders amounts to: a decision about values, without the database.
struct SettledPurchase: Sendable {
    /// The first transaction of the subscription that it belongs to: of the first order in that chain, its number.
    let originalTransactionID: String
    /// The purchase first, then the ends of lower periods in other subscriptions.
    let events: [StoreEvent]
    /// The amounts that earlier orders pay of its period.
    let credits: [PeriodCredit]
    /// `PaidPeriod.isBesideTheEndless`
    let isBesideTheEndless: Bool

    /// - Parameters:
    ///   - paidAt: not later than now.
    ///   - held: the customer's paid periods that end after it, at all stores.
    ///   - chains: the customer's subscriptions at the order's store, the one that ends last first.
    ///   - token: the account token that the purchase carries.
    init(
        of checkout: Checkout,
        payment transactionID: String,
        at paidAt: Date,
        holding held: [HeldPurchase],
        among chains: [PurchaseChain],
        by token: UUID,
        in zone: TimeZone
    ) {
        let period = PaidPeriod(
            paying: checkout.amount,
            of: checkout.offer,
            openedAt: checkout.createdAt,
            holding: held.map(\.period),
            at: paidAt,
            in: zone
        )
        let plan = checkout.offer.plan
        let bySubscription = Dictionary(grouping: held, by: \.subscription)
        // What runs in a subscription of a higher plan would end with the newer, lower period; so that one gets a subscription of its own.
        // So does a period that begins after what runs in it, behind what was bought elsewhere: a subscription gives access without a gap.
        let open = chains.filter { chain in
            let own = bySubscription[chain.subscription, default: []].map(\.period)
            return own.allSatisfy { $0.plan.rank <= plan.rank }
                && (own.map(\.endsAt).max().map { $0 >= period.startsAt } ?? true)
        }
        let chain =
            open.first { bySubscription[$0.subscription, default: []].contains { $0.period.plan == plan } }
            ?? open.first
        originalTransactionID = chain?.originalTransactionID ?? checkout.number
        var bought = StoreTransaction(
            id: transactionID,
            originalID: originalTransactionID,
            productID: checkout.productID,
            kind: .nonRenewing,
            purchasedAt: paidAt,
            expiresAt: period.endsAt,
            price: checkout.amount,
            reason: .purchase,
            customerToken: token,
            purchaseID: checkout.number
        )
        bought.startsAt = period.startsAt
        // The sum that its length was paid with: a shorter one had a lower price.
        if period.covered != checkout.amount { bought.wholePrice = period.covered }
        var events = [
            StoreEvent(
                id: "checkout:\(checkout.number)",
                store: checkout.store,
                environment: checkout.environment,
                signedAt: Self.moment(paidAt, after: chain?.lastSignedAt),
                kind: Self.kind(of: plan, in: chain.map { bySubscription[$0.subscription, default: []] }),
                transaction: bought
            )
        ]
        let ended = held.compactMap { held in
            period.credits.first { $0.period == held.period }.map { (held, $0.amount) }
        }
        credits = ended.compactMap { held, amount in held.order.map { PeriodCredit(order: $0, amount: amount) } }
        isBesideTheEndless = period.isBesideTheEndless
        for (ended, _) in ended where ended.subscription != chain?.subscription {
            events.append(Self.end(of: ended, by: checkout, at: paidAt, token))
        }
        self.events = events
    }

    /// - Parameter held: what still runs of the subscription; nil for a new one.
    private static func kind(of plan: Plan, in held: [HeldPurchase]?) -> StoreEvent.Kind {
        guard let held else { return .subscribed }
        if held.contains(where: { $0.period.plan.rank < plan.rank }) { return .upgraded }
        return held.isEmpty ? .resubscribed : .renewed
    }

    /// The end of a lower period whose unused part was taken off the price.
    private static func end(
        of held: HeldPurchase,
        by checkout: Checkout,
        at paidAt: Date,
        _ token: UUID
    ) -> StoreEvent {
        var transaction = StoreTransaction(
            id: held.transactionID,
            originalID: held.originalTransactionID,
            productID: held.productID,
            kind: .nonRenewing,
            purchasedAt: held.purchasedAt,
            expiresAt: held.period.endsAt,
            price: nil,
            isUpgraded: true,
            customerToken: token,
            purchaseID: nil
        )
        transaction.startsAt = held.period.startsAt
        return StoreEvent(
            id: "checkout:\(checkout.number):\(held.transactionID)",
            store: held.store,
            environment: held.environment,
            signedAt: moment(paidAt, after: held.lastSignedAt),
            kind: .expired,
            transaction: transaction
        )
    }

    /// The moment of an event of ours: after what is known of its subscription, in the order in which payments were settled.
    private static func moment(_ paidAt: Date, after last: Date?) -> Date {
        guard let last, last >= paidAt else { return paidAt }
        return last.addingTimeInterval(0.001)
    }
}
