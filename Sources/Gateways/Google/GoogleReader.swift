import Billing
import Foundation

/// Asks Google what a notification, a token or a number in our books means, and tells it as events.
struct GoogleReader: Sendable {
    let client: GoogleClient

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
                let before = try await earlier(than: events, of: facts, besides: []) + newest
                return events + Self.told(before, before: events)
            }
        case .oneTime(let token, _):
            return try await failing { () async throws(GoogleCallFailure) in
                let facts = try await purchaseFacts(of: token, isFresh: true)
                return try Self.reading { () throws(GatewayError) in try facts.events(id: id) }
            }
        case .voided(let token, let orderID, let isPartial):
            return try await failing { () async throws(GoogleCallFailure) in
                let void = VoidMessage(at: notification.eventTime, isPartial: isPartial)
                let events = try await events(ofOrder: orderID, token: token, id: id, kind: .refunded, void)
                // After it has ended access nobody asks any more, as after an end.
                let endsAccess = events.contains { event in
                    event.kind == .refunded && event.transaction.revocation?.keepsAccess != true
                }
                let all = endsAccess ? try await known(ofToken: token) : []
                return events + Self.told(all + events.filter { $0.transaction.price != nil }, before: events)
            }
        case .refundReview(let orderID, let reviewToken):
            return try await failing { () async throws(GoogleCallFailure) in
                let events = try await events(ofOrder: orderID, token: nil, id: id, kind: .observed)
                return Self.question(about: events, id: id, reviewToken, at: notification.eventTime)
            }
        case .test, .unknown: return []
        }
    }

    /// A bank's question about an order: one, whatever the number of its items, and its answer is of all of them. Google's clock runs from
    /// its question, and not from ours; what the order says by now is told as of when it was asked, and behind the question.
    private static func question(
        about order: [StoreEvent],
        id: String,
        _ reviewToken: String,
        at moment: Date?
    ) -> [StoreEvent] {
        guard var question = order.first(where: \.hasMoneyLeft) ?? order.first else { return [] }
        question.id = id
        (question.kind, question.reviewToken) = (.refundRequested, reviewToken)
        question.signedAt = min(moment ?? question.signedAt, question.signedAt)
        question.transaction.revocation = nil
        let told = told(order.filter { $0.transaction.price != nil }, before: order + [question])
        let since = order.filter { $0.transaction.revocation != nil }.map { event in
            var event = event
            event.id = observed(event.transaction.id, event.signedAt)
            return event
        }
        return [question] + told + since
    }

    /// The events that led to some others, told before them: how something ends, and what is given back, depends on it. Of the same
    /// transactions only that they were paid for, and what was to follow.
    private static func told(_ earlier: [StoreEvent], before events: [StoreEvent]) -> [StoreEvent] {
        let moment = (events.map(\.signedAt).min() ?? .distantPast).addingTimeInterval(-0.001)
        let transactions = Set(events.map(\.transaction.id))
        var seen: Set<String> = []
        return earlier.compactMap { event in
            var event = event
            event.signedAt = moment
            if transactions.contains(event.transaction.id) {
                (event.kind, event.status, event.reviewToken) = (.observed, nil, nil)
                event.id = observed(event.transaction.id, moment)
                event.transaction.revocation = nil
            }
            return seen.insert(event.id).inserted ? event : nil
        }
    }

    /// All that can be known of a token; nothing where Google has forgotten it.
    private func known(ofToken token: String) async throws(GoogleCallFailure) -> [StoreEvent] {
        do throws(GoogleCallFailure) {
            return try await events(ofToken: token)
        } catch {
            guard error.failure.refusal != nil else { throw error }
            return []
        }
    }

    // MARK: Tokens

    /// All that can be known of a token: of a subscription each of its orders, too.
    ///
    /// - Parameter known: orders that need not be told again, unless money was given back.
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
        return try await events(of: facts, besides: known)
    }

    /// All that can be known of a subscription's token that was asked about.
    func events(
        of facts: GoogleFacts,
        besides known: Set<String>
    ) async throws(GoogleCallFailure) -> [StoreEvent] {
        let newest = try Self.reading { () throws(GatewayError) in
            try facts.events(id: Self.observed(facts.mainName ?? facts.token, facts.askedAt))
        }
        return try await earlier(than: newest, of: facts, besides: known) + newest
    }

    /// The orders before a subscription's newest, and those of the purchases whose places were taken, as far as they are not known. Of money
    /// that was given back without revoking Google tells nobody, so the newest of those that are known are asked about with them.
    private func earlier(
        than newest: [StoreEvent],
        of facts: GoogleFacts,
        besides known: Set<String>
    ) async throws(GoogleCallFailure) -> [StoreEvent] {
        guard let newestOrder = facts.mainItem?.orderID else { return [] }
        var earlier = newestOrder.before(atMost: Self.mostOrders)
        var bases = [newestOrder.base]
        for former in try await formers(of: facts) {
            guard let order = former.mainItem(by: facts.orders)?.orderID, !bases.contains(order.base) else { continue }
            earlier += [order.text] + order.before(atMost: Self.mostOrders)
            bases.append(order.base)
        }
        let links = Dictionary(zip(bases, bases.dropFirst())) { first, _ in first }
        let again = Set(earlier.prefix(Self.ordersAskedAgain))
        let asked = Set(earlier.filter { !known.contains($0) || again.contains($0) })
        let orders = try await client.orders(asked.union(bases.filter { facts.orders[$0] == nil }).sorted())
        let named = facts.orders.merging(orders.map { ($0.id.text, $0) }) { own, _ in own }
        var events: [StoreEvent] = []
        for order in orders where order.isCharged {
            guard !known.contains(order.id.text) || order.refund != nil else { continue }
            let names = GoogleItemNames(named[order.id.base])
            for line in order.lines {
                let name = names.name(of: line.productID, among: order.lines.map(\.productID), in: order.id)
                let told = newest.first { $0.transaction.originalID == name.originalID } ?? newest.first
                let event: StoreEvent? = try Self.reading { () throws(GatewayError) in
                    var transaction = try StoreTransaction(name, order, line: line, keepsAccess: true)
                    if name.product == nil { transaction.previousOriginalID = links[order.id.base] }
                    transaction.customerToken = told?.transaction.customerToken
                    transaction.storefront = told?.transaction.storefront ?? transaction.storefront
                    var event = Self.event(transaction, in: facts.subscription.environment, at: facts.askedAt)
                    event.purchaseToken = facts.purchaseToken
                    return event
                }
                if let event { events.append(event) }
            }
        }
        return events.sorted { $0.transaction.purchasedAt < $1.transaction.purchasedAt }
    }

    /// The purchases whose places were taken one after the other, the newest first, as far as Google knows them.
    private func formers(of facts: GoogleFacts) async throws(GoogleCallFailure) -> [GoogleSubscription] {
        var formers = [facts.replaced].compactMap(\.self)
        while let linked = formers.last?.linkedToken, formers.count < Self.mostFormers {
            do throws(GoogleCallFailure) {
                formers.append(try await client.subscription(linked))
            } catch {
                guard error.failure.refusal != nil else { throw error }
                break
            }
        }
        return formers
    }

    private static let mostOrders = 100
    private static let mostFormers = 10
    /// A year of months, in the one question with those that are not known.
    private static let ordersAskedAgain = 12

    func facts(of token: String, isFresh: Bool = false) async throws(GoogleCallFailure) -> GoogleFacts {
        let answer = try await client.answer(aboutSubscription: token, isFresh: isFresh)
        let subscription = answer.content
        var facts = GoogleFacts(
            token: token,
            subscription: subscription,
            orders: [:],
            replaced: nil,
            askedAt: answer.askedAt
        )
        if let linked = subscription.linkedToken {
            do throws(GoogleCallFailure) {
                facts.replaced = try await client.subscription(linked)
            } catch {
                // A purchase that Google has forgotten joins nothing.
                guard error.failure.refusal != nil else { throw error }
            }
        }
        let own = subscription.ownedItems.compactMap(\.orderID)
        let former = facts.replaced?.ownedItems.compactMap(\.orderID?.base) ?? []
        let ids = Set(own.map(\.text) + own.map(\.base) + former)
        for order in try await client.orders(ids.sorted()) { facts.orders[order.id.text] = order }
        return facts
    }

    func purchaseFacts(of token: String, isFresh: Bool = false) async throws(GoogleCallFailure) -> GooglePurchaseFacts {
        let answer = try await client.answer(aboutProduct: token, isFresh: isFresh)
        var order: GoogleOrder?
        if let id = answer.content.orderID?.text { order = try await client.known(id) }
        return GooglePurchaseFacts(token: token, product: answer.content, order: order, askedAt: answer.askedAt)
    }

    // MARK: What is told

    static func event(
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

extension StoreEvent {
    /// False of what was free, and of what was given back whole.
    fileprivate var hasMoneyLeft: Bool {
        guard let price = transaction.price, price.minorUnits > 0 else { return false }
        return transaction.revocation.map { $0.milliPercent ?? 100_000 < 100_000 } ?? true
    }
}

extension GoogleFacts {
    /// The name of its main item's transaction.
    var mainName: String? { mainItem.flatMap(name(of:))?.transactionID }
}
