import Billing
import Foundation

extension GoogleReader {
    /// A message that says that money of an order was given back, which Google's order may not say yet.
    struct VoidMessage: Sendable {
        var at: Date?
        /// True if it is of some of several pieces.
        var isPartial: Bool
    }

    /// The standing of one order.
    ///
    /// - Parameters:
    ///   - token: of its purchase, where it is known.
    ///   - void: the message that made us ask, if it was such a one.
    /// - Throws: `.unanswered` where nothing says yet how much of it was given back.
    func events(
        ofOrder id: String,
        token: String?,
        id eventID: String,
        kind: StoreEvent.Kind,
        _ void: VoidMessage? = nil
    ) async throws(GoogleCallFailure) -> [StoreEvent] {
        let answer = try await client.answer(aboutOrder: id, isFresh: true)
        let (order, askedAt) = (answer.content, answer.askedAt)
        guard let token = order.token ?? token else {
            throw GoogleCallFailure(
                StoreFailure(unreadable: GatewayError(.missing, "Google's order names no purchase."))
            )
        }
        let owner = try await owner(of: token, isSubscription: order.lines.contains(where: \.isSubscription))
        let first = order.id.renewal == nil ? order : try await client.known(order.id.base)
        let (names, products) = (GoogleItemNames(first), order.lines.map(\.productID))
        let lines = order.lines.map { ($0, names.name(of: $0.productID, among: products, in: order.id)) }
        var events: [StoreEvent] = []
        for (line, name) in lines.filter({ $0.1.product == nil }) + lines.filter({ $0.1.product != nil }) {
            // A product that was bought once is not asked about again: a whole refund ends it, though Google may still call it purchased.
            let isWhole = order.state == .refunded || void?.isPartial == false && order.state != .partiallyRefunded
            let isTakenBack = !line.isSubscription && kind == .refunded && isWhole
            let keepsAccess = owner.keepsAccess(of: line) && !isTakenBack
            let event: StoreEvent? = try Self.reading { () throws(GatewayError) in
                var transaction = try StoreTransaction(
                    name,
                    order,
                    line: line,
                    keepsAccess: keepsAccess
                )
                if let void, transaction.revocation == nil, let share = owner.share(of: line, in: void) {
                    transaction.revocation = StoreTransaction.Revocation(
                        at: void.at ?? askedAt,
                        milliPercent: share,
                        keepsAccess: keepsAccess ? true : nil
                    )
                }
                if !line.isSubscription { transaction.originalID = transaction.id }
                transaction.customerToken = owner.accountID.flatMap { UUID(uuidString: $0) }
                transaction.storefront = GoogleCountry.storefront(owner.region) ?? transaction.storefront
                var event = Self.event(transaction, in: owner.environment, at: askedAt)
                event.id = events.isEmpty ? eventID : "\(eventID):\(line.productID)"
                // Of an order of several products not each was given back.
                event.kind = kind == .refunded && transaction.revocation == nil ? .observed : kind
                return event
            }
            if let event { events.append(event) }
        }
        guard void == nil || events.contains(where: { $0.transaction.revocation != nil }) else {
            throw GoogleCallFailure(
                .unanswered(GatewayError(.missing, "Google does not say yet how much of the order was given back."))
            )
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
        /// The share of each product that was given back piece by piece, in thousandths of a percent.
        var shares: [String: Int] = [:]

        /// The share of a line that a message says was given back; nil where it was of other pieces, or nothing says of which.
        func share(of line: GoogleOrder.Line, in void: VoidMessage) -> Int? {
            void.isPartial ? shares[line.productID] : 100_000
        }

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
                isAlive: product.state == .purchased,
                shares: product.sharesGivenBack
            )
        } catch {
            guard error.failure.refusal != nil else { throw error }
            return Owner()
        }
    }
}

extension GoogleProduct {
    /// The share of each product that was given back piece by piece, in thousandths of a percent; without those of which nothing was.
    fileprivate var sharesGivenBack: [String: Int] {
        var shares: [String: Int] = [:]
        for item in items {
            guard let left = item.refundable, (0..<item.quantity).contains(left) else { continue }
            let (all, gone) = (Int128(item.quantity), Int128(item.quantity) - Int128(left))
            shares[item.productID] = Int(clamping: (gone * 200_000 + all) / (all * 2))
        }
        return shares
    }
}
