import Billing
import Foundation

/// Asks Google what a notification, a token or a number in our books means, and tells it as events.
struct GoogleReader: Sendable {
    let client: GoogleClient

    private var now: Date { client.clock.now() }

    // MARK: Notifications

    /// - Returns: none for what concerns no purchase that was paid for.
    /// - Throws: `.refused` where Google does not know, or does not know any more, what it has told of.
    func events(of notification: GoogleNotification, id: String) async throws(StoreFailure) -> [StoreEvent] {
        switch notification.content {
        case .subscription(let token, let type):
            return try await failing { () async throws(GoogleCallFailure) in
                let facts = try await facts(of: token, isFresh: true)
                let events = try Self.reading { () throws(GatewayError) in
                    try facts.events(id: id, after: GoogleSubscriptionChange(rawValue: type) ?? .itemsChanged)
                }
                guard facts.subscription.state == .expired, !events.isEmpty else { return events }
                // Nobody asks about it any more: what was paid for meanwhile, and not told, is told with its end, which charges nothing.
                let newest = try Self.reading { () throws(GatewayError) in
                    try facts.events(id: Self.observed(facts.mainName ?? token, facts.askedAt))
                }
                return events + (try await earlier(than: events, of: facts, besides: [])) + newest
            }
        case .oneTime(let token, _):
            return try await failing { () async throws(GoogleCallFailure) in
                let facts = try await purchaseFacts(of: token, isFresh: true)
                return try Self.reading { () throws(GatewayError) in try facts.events(id: id) }
            }
        case .voided(let token, let orderID, _):
            return try await failing { () async throws(GoogleCallFailure) in
                try await events(ofOrder: orderID, token: token, id: id, kind: .refunded, at: notification.eventTime)
            }
        case .refundReview(let orderID, let reviewToken):
            return try await failing { () async throws(GoogleCallFailure) in
                var events = try await events(ofOrder: orderID, token: nil, id: id, kind: .refundRequested, at: nil)
                for index in events.indices {
                    events[index].reviewToken = reviewToken
                    // Google's clock runs from its question, and not from ours.
                    let askedAt = events[index].signedAt
                    events[index].signedAt = min(notification.eventTime ?? askedAt, askedAt)
                }
                return events
            }
        case .test, .unknown: return []
        }
    }

    // MARK: Tokens

    /// All that can be known of a token: of a subscription each of its orders, too.
    ///
    /// - Parameter known: orders that need not be told again.
    func events(
        ofToken token: String,
        besides known: Set<String> = []
    ) async throws(GoogleCallFailure) -> [StoreEvent] {
        let facts: GoogleFacts
        do throws(GoogleCallFailure) {
            facts = try await self.facts(of: token, isFresh: known.isEmpty)
        } catch {
            // A token of something that does not renew is none of these.
            guard error.failure.refusal != nil, !error.isGone else { throw error }
            let purchase: GooglePurchaseFacts
            do throws(GoogleCallFailure) {
                purchase = try await purchaseFacts(of: token, isFresh: known.isEmpty)
            } catch let other {
                throw other.failure.refusal == nil ? other : error
            }
            return try Self.reading { () throws(GatewayError) in
                try purchase.events(
                    id: Self.observed(purchase.order?.id.text ?? token, purchase.askedAt),
                    isAsked: true
                )
            }
        }
        let newest = try Self.reading { () throws(GatewayError) in
            try facts.events(id: Self.observed(facts.mainName ?? token, facts.askedAt))
        }
        return try await earlier(than: newest, of: facts, besides: known) + newest
    }

    /// The orders before a subscription's newest, and those of the purchase whose place it took, as far as they are not known.
    private func earlier(
        than newest: [StoreEvent],
        of facts: GoogleFacts,
        besides known: Set<String>
    ) async throws(GoogleCallFailure) -> [StoreEvent] {
        guard let item = facts.subscription.ownedItems.first, let name = facts.subscription.name(of: item) else {
            return []
        }
        var earlier = name.order.before(atMost: Self.mostOrders)
        if let replaced = facts.replaced, let item = replaced.ownedItems.first, let former = replaced.name(of: item),
            former.order.base != name.order.base
        {
            earlier += former.order.before(atMost: Self.mostOrders) + [former.order.text]
        }
        let missing = earlier.filter { !known.contains($0) }
        var events: [StoreEvent] = []
        for order in try await client.orders(missing) where order.isCharged {
            for (index, line) in order.lines.enumerated() {
                let name = GoogleItemName(order.id, product: index == 0 ? nil : line.productID)
                let told = newest.first { $0.transaction.originalID == name.originalID } ?? newest.first
                let event: StoreEvent? = try Self.reading { () throws(GatewayError) in
                    var transaction = try StoreTransaction(name, order, line: line, keepsAccess: true)
                    transaction.customerToken = told?.transaction.customerToken
                    transaction.storefront = told?.transaction.storefront ?? transaction.storefront
                    return Self.event(transaction, in: facts.subscription.environment, at: facts.askedAt)
                }
                if let event { events.append(event) }
            }
        }
        return events.sorted { $0.transaction.purchasedAt < $1.transaction.purchasedAt }
    }

    private static let mostOrders = 100

    func facts(of token: String, isFresh: Bool = false) async throws(GoogleCallFailure) -> GoogleFacts {
        let askedAt = now
        let subscription = try await client.subscription(token, isFresh: isFresh)
        var facts = GoogleFacts(subscription: subscription, orders: [:], replaced: nil, askedAt: askedAt)
        let ids = Set(subscription.ownedItems.compactMap(\.orderID?.text)).sorted()
        for order in try await client.orders(ids) { facts.orders[order.id.text] = order }
        if let linked = subscription.linkedToken {
            do throws(GoogleCallFailure) {
                facts.replaced = try await client.subscription(linked)
            } catch {
                // A purchase that Google has forgotten joins nothing.
                guard error.failure.refusal != nil else { throw error }
            }
        }
        return facts
    }

    func purchaseFacts(of token: String, isFresh: Bool = false) async throws(GoogleCallFailure) -> GooglePurchaseFacts {
        let askedAt = now
        let product = try await client.product(token, isFresh: isFresh)
        var order: GoogleOrder?
        if let id = product.orderID?.text { order = try await client.known(id) }
        return GooglePurchaseFacts(product: product, order: order, askedAt: askedAt)
    }

    // MARK: Orders

    /// The standing of one order.
    ///
    /// - Parameters:
    ///   - token: of its purchase, where it is known.
    ///   - moment: since when it is taken back, of one of which somebody says so and Google's order does not yet.
    func events(
        ofOrder id: String,
        token: String?,
        id eventID: String,
        kind: StoreEvent.Kind,
        at moment: Date?
    ) async throws(GoogleCallFailure) -> [StoreEvent] {
        let askedAt = now
        let order = try await client.order(id, isFresh: true)
        guard let token = order.token ?? token else {
            throw GoogleCallFailure(
                StoreFailure(unreadable: GatewayError(.missing, "Google's order names no purchase."))
            )
        }
        let owner = try await owner(of: token, isSubscription: order.lines.contains(where: \.isSubscription))
        var events: [StoreEvent] = []
        for (index, line) in order.lines.enumerated() {
            let name = GoogleItemName(order.id, product: index == 0 ? nil : line.productID)
            // A product that was bought once is not asked about again: a whole refund ends it, though Google may still call it purchased.
            let isTakenBack = !line.isSubscription && kind == .refunded && order.state != .partiallyRefunded
            let keepsAccess = owner.keepsAccess(of: line) && !isTakenBack
            let event: StoreEvent? = try Self.reading { () throws(GatewayError) in
                var transaction = try StoreTransaction(
                    name,
                    order,
                    line: line,
                    keepsAccess: keepsAccess
                )
                if kind == .refunded, let moment, transaction.revocation == nil {
                    transaction.revocation = StoreTransaction.Revocation(
                        at: moment,
                        milliPercent: 100_000,
                        keepsAccess: keepsAccess ? true : nil
                    )
                }
                if !line.isSubscription { transaction.originalID = transaction.id }
                transaction.customerToken = owner.accountID.flatMap { UUID(uuidString: $0) }
                transaction.storefront = GoogleCountry.storefront(owner.region) ?? transaction.storefront
                var event = Self.event(transaction, in: owner.environment, at: askedAt)
                event.id = index == 0 ? eventID : "\(eventID):\(line.productID)"
                event.kind = kind
                return event
            }
            if let event { events.append(event) }
        }
        return events
    }

    private struct Owner {
        var accountID: String?
        var region: String?
        var environment = StoreEnvironment.production
        /// True if the purchase goes on.
        var isAlive = false
        /// When what has ended did; nil where it is not known.
        var end: Date?

        /// True if money alone was given back: the purchase goes on, or ran to the end that was paid for.
        func keepsAccess(of line: GoogleOrder.Line) -> Bool {
            if isAlive { return true }
            guard let end, let paidUntil = line.endsAt else { return false }
            return end >= paidUntil.addingTimeInterval(-60)
        }
    }

    /// Of what Google has forgotten only the order is known.
    private func owner(of token: String, isSubscription: Bool) async throws(GoogleCallFailure) -> Owner {
        do throws(GoogleCallFailure) {
            if isSubscription {
                let subscription = try await client.subscription(token)
                let isOver = subscription.state == .expired && subscription.cancellation != .replacement
                let end = subscription.items.compactMap(\.expiresAt).max()
                return Owner(
                    accountID: subscription.accountID,
                    region: subscription.region,
                    environment: subscription.environment,
                    isAlive: !isOver,
                    end: end
                )
            }
            let product = try await client.product(token)
            return Owner(
                accountID: product.accountID,
                region: product.region,
                environment: product.environment,
                isAlive: product.state == .purchased
            )
        } catch {
            guard error.failure.refusal != nil else { throw error }
            return Owner()
        }
    }

    // MARK: What is told

    private static func event(
        _ transaction: StoreTransaction,
        in environment: StoreEnvironment,
        at moment: Date
    ) -> StoreEvent {
        StoreEvent(
            id: observed(transaction.id, moment),
            store: .google,
            environment: environment,
            signedAt: moment,
            kind: .observed,
            transaction: transaction
        )
    }

    /// The same answer, read twice, is one event.
    static func observed(_ name: String, _ moment: Date) -> String {
        "observed:\(name.prefix(180)):\(moment.appleMilliseconds)"
    }

    static func reading<Value>(_ read: () throws(GatewayError) -> Value) throws(GoogleCallFailure) -> Value {
        do {
            return try read()
        } catch {
            throw GoogleCallFailure(StoreFailure(unreadable: error))
        }
    }

    private func failing<Value>(
        _ ask: () async throws(GoogleCallFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        do {
            return try await ask()
        } catch {
            throw error.failure
        }
    }
}

extension GoogleFacts {
    /// The name of its main item's transaction.
    var mainName: String? {
        subscription.ownedItems.first.flatMap { subscription.name(of: $0) }?.transactionID
    }
}
