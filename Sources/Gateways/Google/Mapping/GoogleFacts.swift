import Billing
import Foundation

/// All that Google answered of one purchase token, and what follows from it for our books. Pure: it asks nobody.
///
/// The table of what follows from which state is in docs/stores/google.md.
struct GoogleFacts: Sendable {
    var token: String
    var subscription: GoogleSubscription
    /// The latest orders of its items, and those that they and the replaced ones began with, by number; one that Google does not know is
    /// not there.
    var orders: [String: GoogleOrder]
    /// The purchase whose place it took; nil where there is none, or Google has forgotten it.
    var replaced: GoogleSubscription?
    /// When Google was asked: the answer is what was true then, whatever made us ask.
    var askedAt: Date

    /// One event for each item that was paid for, the main one first.
    ///
    /// - Parameters:
    ///   - id: of the message that made us ask; the others have the product behind it.
    ///   - change: what the message says; nil where nobody but us asked.
    func events(id: String, after change: GoogleSubscriptionChange? = nil) throws(GatewayError) -> [StoreEvent] {
        guard subscription.state != .pending, subscription.state != .pendingCanceled else { return [] }
        var events: [StoreEvent] = []
        let main = mainItem
        for item in [main].compactMap(\.self) + subscription.ownedItems.filter({ $0 != main }) {
            guard let name = name(of: item) else { continue }
            let transaction = try transaction(of: item, name, after: change)
            let isMain = item == main
            let awaits = isMain && isAlive && !subscription.isAcknowledged
            let event = StoreEvent(
                id: pauseName(of: item, name, after: change) ?? (isMain ? id : "\(id):\(item.productID)"),
                store: .google,
                environment: subscription.environment,
                signedAt: askedAt,
                kind: kind(of: item, name, transaction, after: change),
                transaction: transaction,
                renewal: terms(of: item),
                status: status(of: item, transaction),
                // The main item's word is that of the whole purchase.
                awaitsAcknowledgement: awaits ? true : nil,
                acknowledgeBy: awaits ? acknowledgeBy(item, transaction) : nil,
                purchaseToken: purchaseToken
            )
            do {
                try event.requireKeepable()
            } catch {
                throw GatewayError(.malformed, error.message, underlying: error)
            }
            events.append(event)
        }
        return events
    }

    func name(of item: GoogleLineItem) -> GoogleItemName? { subscription.name(of: item, by: orders) }

    var mainItem: GoogleLineItem? { subscription.mainItem(by: orders) }

    /// The token to ask with from now on; nil of a purchase whose place another took.
    var purchaseToken: String? { isReplaced ? nil : token }

    /// A change that waits for the period's end is a purchase from when it was made, and has no order of its own.
    private func acknowledgeBy(_ item: GoogleLineItem, _ transaction: StoreTransaction) -> Date {
        var start = min(subscription.startedAt ?? transaction.purchasedAt, transaction.purchasedAt)
        if let replaced, replaced.ownedItems.contains(where: { $0.orderID == item.orderID }) {
            start = subscription.startedAt.flatMap { $0 > replaced.startedAt ?? $0 ? $0 : nil } ?? askedAt
        }
        return start.addingTimeInterval(GoogleStoreServer.acknowledgementTime)
    }

    /// The id of a pause that nobody told: the same however often Google is asked while it lasts. nil of anything else.
    private func pauseName(
        of item: GoogleLineItem,
        _ name: GoogleItemName,
        after change: GoogleSubscriptionChange?
    ) -> String? {
        guard change == nil, subscription.state == .paused, !item.isPrepaid else { return nil }
        return "paused:\(name.transactionID.prefix(200))"
    }

    // MARK: The transaction

    private func transaction(
        of item: GoogleLineItem,
        _ name: GoogleItemName,
        after change: GoogleSubscriptionChange?
    ) throws(GatewayError) -> StoreTransaction {
        var transaction: StoreTransaction
        if let order = orders[name.order.text], let line = order.line(of: item.productID) {
            // After a deferral it may be taken away later than the order's own end.
            let isTakenAway = isCutShort(item, line.endsAt) || change == .revoked && !isReplaced
            let keepsAccess = isAlive || !isTakenAway
            transaction = try StoreTransaction(name, order, line: line, keepsAccess: keepsAccess)
            transaction.offer = line.offer(usedCode: item.usedCode && name.order.renewal == nil)
            // A trial costs nothing, also where Google leaves the total out.
            if transaction.offer?.isFreeTrial == true, transaction.price == nil, let price = item.recurringPrice {
                transaction.price = .zero(price.currency)
            }
        } else {
            transaction = try unordered(item, name)
        }
        transaction.productID = item.catalogID
        transaction.kind = item.isPrepaid ? .nonRenewing : .autoRenewable
        transaction.expiresAt = end(of: item, paidUntil: transaction.expiresAt, since: transaction.purchasedAt)
        transaction.customerToken = subscription.accountID.flatMap { UUID(uuidString: $0) }
        transaction.storefront = GoogleCountry.storefront(subscription.region) ?? transaction.storefront
        transaction.previousOriginalID = previousName(of: item, name)
        transaction.commitment = commitment(of: item)
        if isImmediateChange(item) { transaction.replacesWithoutCredit = true }
        if item.isPrepaid, transaction.previousOriginalID != nil { transaction.reason = .renewal }
        return transaction
    }

    /// Google's books know no order of it: of a tester's purchase that may stay so.
    private func unordered(_ item: GoogleLineItem, _ name: GoogleItemName) throws(GatewayError) -> StoreTransaction {
        guard subscription.isTest, let start = name.order.renewal == nil ? subscription.startedAt : askedAt else {
            throw GatewayError(.missing, "Google does not know the order of the purchase yet.")
        }
        return StoreTransaction(
            id: name.transactionID,
            originalID: name.originalID,
            productID: item.catalogID,
            purchasedAt: start,
            expiresAt: item.expiresAt,
            price: nil,
            reason: name.order.renewal == nil ? .purchase : .renewal,
            offer: item.phase == .freeTrial
                ? StoreTransaction.Offer(kind: .introductory, identifier: item.offerID, isFreeTrial: true) : nil,
            purchaseID: name.transactionID
        )
    }

    /// The end of what is paid for. While a charge fails, Google's own end is that of the access it grants meanwhile.
    private func end(of item: GoogleLineItem, paidUntil: Date?, since start: Date) -> Date? {
        let isGrantedOnly: Bool =
            switch subscription.state {
            case .inGracePeriod, .onHold: true
            case .expired: isReplaced || subscription.cancellation == .system || isCutShort(item, paidUntil)
            case .pending, .active, .paused, .canceled, .pendingCanceled: false
            }
        let told = isGrantedOnly ? paidUntil ?? item.expiresAt : item.expiresAt ?? paidUntil
        guard let told, told > start else { return paidUntil.flatMap { $0 > start ? $0 : nil } ?? item.expiresAt }
        return told
    }

    /// It ended before the end of what was paid for, and not because another took its place.
    private func isCutShort(_ item: GoogleLineItem, _ paidUntil: Date?) -> Bool {
        guard subscription.state == .expired, !isReplaced, let end = item.expiresAt, let paidUntil else { return false }
        return end < paidUntil.addingTimeInterval(-60)
    }

    /// The name of the item whose place this one took. It joins the two histories.
    private func previousName(of item: GoogleLineItem, _ name: GoogleItemName) -> String? {
        guard let replaced else { return nil }
        let same = replaced.ownedItems.first { $0.productID == item.productID }
        guard let former = same ?? (item == mainItem ? replaced.mainItem(by: orders) : nil),
            let formerName = replaced.name(of: former, by: orders)?.originalID, formerName != name.originalID
        else { return nil }
        return formerName
    }

    private func commitment(of item: GoogleLineItem) -> Commitment? {
        guard let plan = item.installments, (1...1_000).contains(plan.committed),
            (0...plan.committed).contains(plan.remaining)
        else { return nil }
        let paid = max(1, plan.committed - plan.remaining)
        return Commitment(period: Int(clamping: paid), periods: Int(clamping: plan.committed))
    }

    // MARK: What happened

    /// True if the purchase goes on.
    private var isAlive: Bool {
        switch subscription.state {
        case .active, .paused, .inGracePeriod, .onHold, .canceled: true
        case .pending, .expired, .pendingCanceled: false
        }
    }

    private var isReplaced: Bool { subscription.cancellation == .replacement }

    /// True if it took another product's place before the end of that one's period.
    private func isImmediateChange(_ item: GoogleLineItem) -> Bool {
        guard let former = replaced?.mainItem(by: orders), item == mainItem, !item.isPrepaid else { return false }
        return former.catalogID != item.catalogID
    }

    private func kind(
        of item: GoogleLineItem,
        _ name: GoogleItemName,
        _ transaction: StoreTransaction,
        after change: GoogleSubscriptionChange?
    ) -> StoreEvent.Kind {
        // Only an event of its own says that it rests.
        guard let change else { return pauseName(of: item, name, after: change) == nil ? .observed : .paused }
        switch subscription.state {
        case .pending, .pendingCanceled: return .informational
        case .inGracePeriod: return item.isPrepaid ? .observed : .gracePeriodEntered
        case .onHold: return item.isPrepaid ? .observed : .billingRetryEntered
        case .paused: return item.isPrepaid ? .observed : .paused
        case .canceled: return item.isPrepaid ? .observed : .autoRenewDisabled
        case .expired:
            if isReplaced { return .observed }
            guard isCutShort(item, transaction.expiresAt) || change == .revoked else { return .expired }
            return transaction.revocation == nil ? .revoked : .refunded
        case .active: return kindOfActive(item, name, after: change)
        }
    }

    private func kindOfActive(
        _ item: GoogleLineItem,
        _ name: GoogleItemName,
        after change: GoogleSubscriptionChange
    ) -> StoreEvent.Kind {
        switch change {
        case .purchased, .renewed, .recovered, .itemsChanged:
            if item.replacedBy != nil { return .downgradeScheduled }
            if name.order.renewal != nil { return change == .recovered ? .recovered : .renewed }
            if isImmediateChange(item) { return .upgraded }
            if replaced != nil { return item.isPrepaid ? .observed : .resubscribed }
            return subscription.isOutOfApp ? .resubscribed : .subscribed
        case .restarted: return .autoRenewEnabled
        case .deferred: return .renewalExtended
        case .priceChangeConfirmed, .priceChangeUpdated, .priceStepUpConsentUpdated:
            switch item.priceChange?.isAccepted {
            case true?: return .priceIncreaseAccepted
            case false?: return .priceIncreasePending
            case nil: return .observed
            }
        case .canceled, .onHold, .inGracePeriod, .paused, .pauseScheduleChanged, .revoked, .expired,
            .cancellationScheduled, .pendingPurchaseCanceled:
            return .observed
        }
    }

    private func status(of item: GoogleLineItem, _ transaction: StoreTransaction) -> StoreEvent.Status? {
        guard !isReplaced else { return nil }
        switch subscription.state {
        case .active, .canceled: return transaction.expiresAt.map { $0 > askedAt } == true ? .active : nil
        case .inGracePeriod: return .gracePeriod
        case .onHold: return .billingRetry
        case .expired: return isCutShort(item, transaction.expiresAt) ? .revoked : .expired
        case .pending, .paused, .pendingCanceled: return nil
        }
    }

    // MARK: What comes next

    private func terms(of item: GoogleLineItem) -> RenewalTerms? {
        guard !item.isPrepaid, !isReplaced else { return nil }
        let isFailing = subscription.state == .inGracePeriod || subscription.state == .onHold
        let renews = item.renews && subscription.state != .canceled && subscription.state != .expired
        let next = item.replacedBy.map { product in
            subscription.items.first { $0.productID == product && $0.orderID == nil }?.catalogID ?? product
        }
        var renewsAt: Date?
        if subscription.state == .active, renews { renewsAt = item.expiresAt }
        if subscription.state == .paused { renewsAt = subscription.resumesAt }
        return RenewalTerms(
            renewsAutomatically: renews && !item.isRemovedAtEnd,
            nextProductID: next,
            renewsAt: renewsAt,
            renewalPrice: (item.priceChange?.price ?? item.recurringPrice).flatMap { price in
                (0...Money.highestPrice).contains(price.minorUnits) ? price : nil
            },
            gracePeriodEndsAt: subscription.state == .inGracePeriod ? item.expiresAt : nil,
            isInBillingRetry: isFailing,
            expirationReason: expirationReason,
            priceIncreaseAccepted: item.priceChange?.isAccepted,
            commitmentRenews: item.installments.map { !$0.endsAfter }
        )
    }

    private var expirationReason: ExpirationReason? {
        guard subscription.state == .expired else { return nil }
        switch subscription.cancellation {
        case .user: return .cancelled
        case .system: return .billingError
        case .developer, .replacement, nil: return .other
        }
    }
}
