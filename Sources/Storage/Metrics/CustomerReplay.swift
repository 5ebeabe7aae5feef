import Billing
import Foundation
import Postgres

/// Something that we heard of a customer: a store's event, or a refund that somebody booked by hand.
struct ToldFact {
    var customer: Customer.ID
    var subscription: Subscription.ID
    var recordedAt: Date
    var content: Content

    enum Content {
        case event(StoreEvent)
        /// Of the charge of a transaction.
        case refund(ManualRefund, transactionID: String)
    }

    /// From the customer, the subscription, the event and when it was recorded.
    init(event row: Row) throws {
        var columns = try row.columns(4)
        customer = try columns.next()
        subscription = try columns.next()
        content = .event(try EventJSON.event(from: columns.next()))
        recordedAt = try columns.next()
    }

    /// From the customer, the subscription, the transaction and the request; nil for what the store paid and told.
    init?(refund row: Row) throws {
        var columns = try row.columns(RefundRequest.columnCount + 3)
        customer = try columns.next()
        subscription = try columns.next()
        let transactionID: String = try columns.next()
        guard let refund = try RefundRequest(&columns).bookedByHand else { return nil }
        content = .refund(refund, transactionID: transactionID)
        recordedAt = refund.bookedAt
    }
}

/// The entries that a customer's subscriptions add to the metrics, as one fact after another became known.
struct CustomerReplay {
    private let catalog: PeriodCatalog
    private let newID: () -> UUID
    private var histories: [Subscription.ID: SubscriptionHistory] = [:]
    private var byHand: [Subscription.ID: [String: [ManualRefund]]] = [:]
    /// Its access periods after the last fact.
    private(set) var stored: [StoredPeriod] = []
    private var failures: [Subscription.ID: [MetricsEntry]] = [:]
    /// The statements that write it.
    private(set) var statements: [Query] = []

    init(in catalog: PeriodCatalog, newID: @escaping () -> UUID) {
        self.catalog = catalog
        self.newID = newID
    }

    mutating func take(_ fact: ToldFact) {
        switch fact.content {
        case .event(let event): histories[fact.subscription, default: SubscriptionHistory([])].insert(event)
        case .refund(let refund, let transactionID):
            byHand[fact.subscription, default: [:]][transactionID, default: []].append(refund)
        }
        guard let history = histories[fact.subscription], let first = history.events.first else { return }
        let outcome = history.replay()
        let next = catalog.stored(
            outcome.periods.givenBack(outcome.books.givenBack(byHand: byHand[fact.subscription, default: [:]])),
            of: fact.subscription,
            at: first.store,
            in: first.environment,
            for: fact.customer,
            newID: newID
        )
        let failed =
            first.environment == .production
            ? catalog.entries(of: outcome.failedCharges(of: history.events), at: first.store) : []
        let changes = PeriodChanges(
            from: stored,
            subscription: fact.subscription,
            to: next,
            overrides: (EntitlementOverrides(), EntitlementOverrides()),
            failures: (failures[fact.subscription] ?? [], failed),
            in: catalog
        )
        failures[fact.subscription] = failed
        statements += changes.statements(at: fact.recordedAt)
        stored = stored.filter { !changes.retired.contains($0.id) } + changes.added
    }
}
