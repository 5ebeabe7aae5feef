package import Billing
package import Foundation

/// Google Play, as far as it does something for an app when it is asked.
package struct GoogleStoreServer: Sendable {
    let reader: GoogleReader

    init(_ reader: GoogleReader) {
        self.reader = reader
    }

    var client: GoogleClient { reader.client }

    /// The newest purchase that is known of a subscription. An order of before a change of plans names the one whose place it took.
    func token(of purchase: KnownPurchase) async throws(GoogleCallFailure) -> String {
        if let token = purchase.token { return token }
        return try await token(of: purchase.transactionID)
    }

    /// The purchase of an order in our books.
    func token(of transactionID: String) async throws(GoogleCallFailure) -> String {
        let order = try await client.order(GoogleItemName(transactionID).order.text)
        guard let token = order.token else {
            throw GoogleCallFailure(
                StoreFailure(unreadable: GatewayError(.missing, "Google's order names no purchase."))
            )
        }
        return token
    }

    func failing<Value>(
        _ ask: () async throws(GoogleCallFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        do {
            return try await ask()
        } catch {
            throw error.failure
        }
    }

    static func refused(_ message: String) -> StoreFailure {
        .refused(StoreRefusal(GatewayError(.malformed, message)))
    }
}

extension GoogleStoreServer: StoreServer {
    /// The time that Google waits for our answer about a refund that a bank asks for, in seconds.
    package static let reviewPatience: TimeInterval = 86_400
    /// The time from a purchase on in which Google wants to be told that it was delivered, in seconds; then it gives the money back.
    package static let acknowledgementTime: TimeInterval = 3 * 86_400
    /// The longest that a renewal can be put off by one question.
    private static let longestExtension = 365

    package func answer(
        _ answer: StoreAnswer,
        about transactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) {
        guard let token = answer.reviewToken else {
            throw Self.refused(
                "Google Play asked nothing about this order: its notification has a token for the answer."
            )
        }
        try await failing { () async throws(GoogleCallFailure) in
            try await client.review(
                GoogleItemName(transactionID).order.text,
                answer.preference,
                token: token,
                percentage: answer.percentage,
                providesSamples: answer.providesSamples
            )
        }
    }

    /// Google's calls have no ids: asked again after an answer was lost, they would put it off twice. So the end that is wanted is
    /// counted from the one that was known when somebody wished it, and what lies there already is left alone.
    package func extend(
        _ originalTransactionID: String,
        by length: StoreExtension,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> Date? {
        guard let from = length.from else {
            throw Self.refused("Google Play has to be told from which end on a renewal is put off.")
        }
        guard (1...Self.longestExtension).contains(length.days) else {
            throw Self.refused("Google Play puts a renewal off by one day to \(Self.longestExtension).")
        }
        let wanted = from.addingTimeInterval(TimeInterval(length.days) * 86_400)
        return try await failing { () async throws(GoogleCallFailure) -> Date? in
            let token = try await token(of: originalTransactionID)
            for _ in 0..<3 {
                let subscription = try await client.subscription(token)
                guard let end = subscription.ownedItems.first?.expiresAt, let etag = subscription.etag else {
                    throw GoogleCallFailure(
                        StoreFailure(unreadable: GatewayError(.missing, "Google does not say when it ends."))
                    )
                }
                let seconds = wanted.timeIntervalSince(end).rounded()
                guard seconds > 60 else { return end }
                do throws(GoogleCallFailure) {
                    let ends = try await client.postpone(token, by: Int64(bounding: seconds), etag: etag)
                    return ends[subscription.ownedItems.first?.productID ?? ""] ?? ends.values.max()
                } catch {
                    // Somebody else changed it meanwhile: it is read anew.
                    guard error.error?.isConflict == true else { throw error }
                }
            }
            throw GoogleCallFailure(
                .unanswered(GatewayError(.malformed, "Google's subscription changes faster than it can be put off."))
            )
        }
    }

    package func extendAll(
        subscribersTo productID: String,
        by length: StoreExtension,
        storefronts: [String]?,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) {
        throw Self.refused("Google Play puts renewals off one by one.")
    }

    package func progress(
        of id: UUID,
        forProduct productID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> StoreExtensionCounts? {
        throw Self.refused("Google Play puts renewals off one by one.")
    }
}

extension GoogleStoreServer: RenewalServer {
    package func cancelRenewal(of purchase: KnownPurchase) async throws(StoreFailure) -> StoreEvent {
        try await failing { () async throws(GoogleCallFailure) in
            let token = try await token(of: purchase)
            let before = try await client.subscription(token)
            guard before.cancellation != .replacement else {
                throw GoogleCallFailure(
                    .unanswered(
                        GatewayError(.missing, "Another purchase took this one's place, and is not known here yet.")
                    )
                )
            }
            if before.ownedItems.contains(where: \.renews), before.state != .canceled, before.state != .expired {
                try await client.cancel(token, byUser: true)
            }
            let facts = try await reader.facts(of: token)
            let events = try GoogleReader.reading { () throws(GatewayError) in
                try facts.events(
                    id: GoogleReader.observed(facts.mainName ?? purchase.transactionID, facts.askedAt),
                    after: .canceled
                )
            }
            guard let event = events.first, event.renewal?.renewsAutomatically == false else {
                throw GoogleCallFailure(
                    .unanswered(GatewayError(.malformed, "Google still says that the subscription renews."))
                )
            }
            return event
        }
    }
}

extension GoogleStoreServer: RefundServer {
    /// The whole order. Google knows no numbers of ours: that it is refunded already is read from the order before it is asked for.
    package func refund(_ refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding {
        guard refund.amount == refund.total else {
            throw Self.refused("Google Play gives a whole order back, and no part of it.")
        }
        let id = GoogleItemName(refund.transactionID).order.text
        return try await failing { () async throws(GoogleCallFailure) in
            let before = try await client.order(id)
            if let standing = StoreRefundStanding(before) { return standing }
            guard before.isCharged else {
                throw GoogleCallFailure(Self.refused("Google Play has charged nothing for this order."))
            }
            guard before.lines.count == 1 else {
                throw GoogleCallFailure(
                    Self.refused("The order is of several products, and Google Play gives all of it back at once.")
                )
            }
            do throws(GoogleCallFailure) {
                try await client.refund(id, revoking: refund.revokes)
            } catch {
                return try await standing(of: id, after: error)
            }
            return StoreRefundStanding(try await client.order(id)) ?? StoreRefundStanding(.processing)
        }
    }

    /// The standing of an order whose refund was answered with an error. Google also refuses what it has refunded already, by an attempt
    /// whose answer was lost, and an error says nothing of what was done before it: the order says whether the money went back. Only a no
    /// of Google's own to an order that still is as it was is a no.
    private func standing(
        of id: String,
        after error: GoogleCallFailure
    ) async throws(GoogleCallFailure) -> StoreRefundStanding {
        let order: GoogleOrder
        do throws(GoogleCallFailure) {
            order = try await client.order(id)
        } catch let other {
            // The order does not say: nobody knows yet.
            throw GoogleCallFailure(.unanswered(other.failure.reason), error: error.error)
        }
        if let standing = StoreRefundStanding(order) { return standing }
        guard error.failure.refusal != nil else { throw error }
        // The order that was read does exist, and what has been refunded already is shown with a delay.
        guard error.error?.code == 400, error.error?.saysAlreadyRefunded == false else {
            throw GoogleCallFailure(.unanswered(error.failure.reason), error: error.error)
        }
        throw error
    }

    package func standing(of refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding? {
        try await failing { () async throws(GoogleCallFailure) in
            try await client.known(GoogleItemName(refund.transactionID).order.text).flatMap(StoreRefundStanding.init)
        }
    }
}

extension StoreRefundStanding {
    /// nil where nothing is given back, and nothing will be.
    fileprivate init?(_ order: GoogleOrder) {
        switch order.state {
        case .pendingRefund: self.init(.processing)
        case .refunded: self.init(.succeeded, amount: order.total, succeededAt: order.refund?.at)
        case .pending, .processed, .canceled, .partiallyRefunded: return nil
        }
    }
}

extension GoogleStoreServer: AcknowledgementServer {
    package func acknowledge(
        _ purchase: KnownPurchase,
        isDelivered: Bool
    ) async throws(StoreFailure) -> Acknowledgement {
        try await failing { () async throws(GoogleCallFailure) in
            do throws(GoogleCallFailure) {
                let token: String
                var renews = purchase.kind == .autoRenewable || purchase.kind == .nonRenewing
                if let known = purchase.token {
                    token = known
                } else {
                    // An event that was kept before its token was.
                    let order = try await client.order(GoogleItemName(purchase.transactionID).order.text, isFresh: true)
                    guard let named = order.token else { return .unneeded }
                    (token, renews) = (named, order.lines.contains(where: \.isSubscription))
                }
                return renews
                    ? try await acknowledgeSubscription(token, isDelivered: isDelivered)
                    : try await acknowledgeProduct(token, isDelivered: isDelivered)
            } catch {
                // A purchase that ended long ago waits for nothing.
                guard error.isGone else { throw error }
                return .unneeded
            }
        }
    }

    private func acknowledgeSubscription(
        _ token: String,
        isDelivered: Bool
    ) async throws(GoogleCallFailure) -> Acknowledgement {
        let subscription = try await client.subscription(token, isFresh: true)
        guard let item = subscription.items.first, !subscription.isAcknowledged else { return .unneeded }
        switch subscription.state {
        case .pending: return .tooEarly
        case .expired, .pendingCanceled: return .unneeded
        case .active, .paused, .inGracePeriod, .onHold, .canceled:
            guard isDelivered else { return .tooEarly }
            try await client.acknowledge(token, subscription: item.productID)
            return .told
        }
    }

    private func acknowledgeProduct(
        _ token: String,
        isDelivered: Bool
    ) async throws(GoogleCallFailure) -> Acknowledgement {
        let product = try await client.product(token, isFresh: true)
        guard let item = product.items.first, !product.isAcknowledged else { return .unneeded }
        switch product.state {
        case .pending: return .tooEarly
        case .canceled: return .unneeded
        case .purchased:
            guard isDelivered else { return .tooEarly }
            try await client.acknowledge(token, product: item.productID)
            return .told
        }
    }
}
