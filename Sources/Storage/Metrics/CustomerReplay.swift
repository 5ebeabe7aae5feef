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

    /// All that we heard of some customers' subscriptions. One that was moved counts as if it had always been its customer's.
    static func statements(of customers: [UUID]) -> [Query] {
        [
            """
            SELECT s.customer_id, s.id, e.event::text, e.recorded_at
            FROM subscriptions s
            JOIN subscription_events e ON e.subscription_id = s.id
            WHERE s.customer_id = ANY(\(customers))
            ORDER BY e.recorded_at, e.id
            """,
            """
            SELECT s.customer_id, o.subscription_id, o.transaction_id, \(RefundRequest.columns)
            FROM subscriptions s
            JOIN orders o ON o.subscription_id = s.id
            JOIN refund_requests r ON r.order_id = o.id
            WHERE s.customer_id = ANY(\(customers)) AND r.status = 'processed'
            ORDER BY r.finished_at, r.id
            """,
        ]
    }

    /// - Parameter results: of `statements`.
    /// - Returns: what each customer's are, in the order in which we heard it.
    static func byCustomer(_ results: ArraySlice<Rows>) throws -> [Customer.ID: [ToldFact]] {
        let told =
            try results[results.startIndex].map(ToldFact.init(event:))
            + results[results.startIndex + 1].compactMap(ToldFact.init(refund:))
        return Dictionary(grouping: told, by: \.customer).mapValues { $0.sorted { $0.recordedAt < $1.recordedAt } }
    }
}

/// The entries that a customer's subscriptions add to the metrics, as one business day's facts after another became known.
struct CustomerReplay {
    private let customer: Customer.ID
    private let catalog: PeriodCatalog
    private let newID: () -> UUID
    private var histories: [Subscription.ID: SubscriptionHistory] = [:]
    private var byHand: [Subscription.ID: [String: [ManualRefund]]] = [:]
    /// Their access periods after the last fact.
    private(set) var stored: [StoredPeriod] = []
    private var failures: [Subscription.ID: [MetricsEntry]] = [:]
    /// The entries of all of it after the last fact.
    private var counted: [MetricsEntry] = []
    /// The entries that these changed by, each with the business day on which it is known.
    private(set) var added: [(entry: MetricsEntry, known: BusinessDay)] = []

    /// - Parameters:
    ///   - facts: all that we heard of the customer, in the order in which we did.
    ///   - byDay: whether it is asked when each change was known; otherwise all is taken for known in the end.
    ///   - newID: names access periods.
    init(
        of customer: Customer.ID,
        _ facts: [ToldFact],
        byDay: Bool,
        in catalog: PeriodCatalog,
        newID: @escaping () -> UUID
    ) {
        self.customer = customer
        self.catalog = catalog
        self.newID = newID
        var heard: Set<Subscription.ID> = []
        var today: BusinessDay?
        for fact in facts {
            let day = BusinessDay(fact.recordedAt, in: catalog.zone)
            // All that is told on one day is known on one day, whatever was believed in between.
            if byDay, let ended = today, ended != day {
                count(heard, on: ended)
                heard = []
            }
            today = day
            note(fact)
            heard.insert(fact.subscription)
        }
        if let today { count(heard, on: today) }
    }

    private mutating func note(_ fact: ToldFact) {
        switch fact.content {
        case .event(let event): histories[fact.subscription, default: SubscriptionHistory([])].insert(event)
        case .refund(let refund, let transactionID):
            byHand[fact.subscription, default: [:]][transactionID, default: []].append(refund)
        }
    }

    /// Counts again what is known at the end of a day on which we heard of some subscriptions.
    private mutating func count(_ heard: Set<Subscription.ID>, on day: BusinessDay) {
        for subscription in heard { replay(subscription) }
        let now = entries
        added += MetricsEntry.difference(from: counted, to: now).map {
            (entry: $0, known: Swift.max(day, $0.firstDay(in: catalog.zone)))
        }
        counted = now
    }

    private mutating func replay(_ subscription: Subscription.ID) {
        guard let history = histories[subscription], let first = history.events.first else { return }
        let outcome = history.replay()
        stored.removeAll { $0.period.subscription == subscription }
        stored += catalog.stored(
            outcome.periods.givenBack(outcome.books.givenBack(byHand: byHand[subscription, default: [:]])),
            of: subscription,
            at: first.store,
            in: first.environment,
            for: customer,
            newID: newID
        )
        failures[subscription] =
            first.environment == .production
            ? catalog.entries(of: outcome.failedCharges(of: history.events), at: first.store) : []
    }

    /// The sandbox adds nothing.
    private var entries: [MetricsEntry] {
        let failed = failures.values.flatMap(\.self)
        let periods = stored.filter { $0.environment == .production }.map(\.period)
        guard !periods.isEmpty else { return failed }
        let metrics = CustomerMetrics(
            periods,
            in: catalog.zone,
            trialConversionDays: catalog.trialConversionDays
        )
        let access = EntitlementTimeline(
            periods,
            grants: [],
            suspensions: [],
            in: catalog.zone,
            trialConversionDays: catalog.trialConversionDays
        )
        return metrics.entries + access.entries + failed
    }
}
