import Foundation

/// The books while a history is folded, with the refunds that wait for a charge signed after them.
struct LedgerBuilder {
    private(set) var books = Ledger()
    /// Refunds and reversals by the transaction whose charge is not known yet, in signed order.
    private var waiting: [String: [(effect: Effect, event: StoreEvent)]] = [:]
    /// Prices by the transaction whose charge is not known yet, as they were first told.
    private var told: [String: (price: Money, event: StoreEvent)] = [:]
    private var upgrades = UpgradeRecord()

    /// The books with what upgrades have superseded.
    var settledBooks: Ledger {
        var books = books
        // A free trial is known to be free without a price: it has an order only once the store names a currency for it.
        books.orders.removeAll { !$0.isPriced && $0.offer?.isFreeTrial == true }
        for index in books.orders.indices {
            books.orders[index].supersession = upgrades.supersession(of: books.orders[index])
            books.orders[index].creditUnusedPart()
            if !books.orders[index].isPriced {
                books.orders[index].takenBackAt = takenBack(books.orders[index].transactionID)
            }
        }
        books.countPaidDays()
        return books
    }

    /// The time of the refund of a transaction that has no price yet; nil if there is none.
    private func takenBack(_ transactionID: String) -> Date? {
        guard case .refunded(let refund) = waiting[transactionID]?.last?.effect else { return nil }
        return refund.revocation.at
    }

    /// Books an effect; what is refused changes nothing.
    mutating func post(_ effect: Effect, from event: StoreEvent) throws(TransitionRefused) -> [EventWarning] {
        switch effect {
        case .charged(let charge): try post(charge, from: event)
        // The message that tells of a refund may be the first to name the price.
        case .refunded(let refund):
            settlePrice(of: refund.transactionID, event.transaction.price, from: event)
                + (try post(refund, from: event))
        case .refundReversed(let reversal):
            settlePrice(of: reversal.transactionID, event.transaction.price, from: event) + post(reversal, from: event)
        }
    }

    private mutating func post(
        _ charge: Effect.Charge,
        from event: StoreEvent
    ) throws(TransitionRefused) -> [EventWarning] {
        if let index = index(of: charge.transactionID) {
            books.orders[index].hear(charge.kind)
            if event.kind == .recovered { books.orders[index].isRecovered = true }
            return event.kind == .observed || event.kind == .seatsChanged || !books.orders[index].isPriced
                ? [] : [.alreadyCharged]
        }
        var order = BookedOrder(
            transactionID: charge.transactionID,
            productID: charge.productID,
            amount: .zero(.unknown),
            purchasedAt: charge.purchasedAt,
            periodStartsAt: charge.periodStartsAt ?? charge.purchasedAt,
            periodEndsAt: charge.periodEndsAt,
            storefront: charge.storefront,
            quantity: charge.quantity,
            offer: charge.offer,
            customerToken: charge.customerToken,
            entries: []
        )
        order.awaitedKind = charge.kind
        order.isRecovered = event.kind == .recovered
        let place = books.orders.firstIndex { $0.purchasedAt > charge.purchasedAt } ?? books.orders.endIndex
        books.orders.insert(order, at: place)
        // The message that charges may be one of those that lack the price.
        if charge.amount == nil, let (price, teller) = told[charge.transactionID] {
            return settlePrice(of: charge.transactionID, price, from: teller)
        }
        return settlePrice(of: charge.transactionID, charge.amount, from: event)
    }

    /// Books the charge of an order when its price is known, on the day of the purchase, and what was waiting for that.
    private mutating func settlePrice(
        of transactionID: String,
        _ price: Money?,
        from event: StoreEvent
    ) -> [EventWarning] {
        guard let price, let index = index(of: transactionID), !books.orders[index].isPriced else { return [] }
        books.orders[index].amount = price
        books.orders[index].entries = [
            LedgerEntry(
                kind: books.orders[index].awaitedKind,
                amount: price,
                occurredAt: books.orders[index].purchasedAt,
                reference: "charge",
                eventID: event.id
            )
        ]
        return settleWaiting(for: transactionID)
    }

    /// Books what was signed before its charge; a refund that turns out impossible is dropped, the charge stands.
    private mutating func settleWaiting(for transactionID: String) -> [EventWarning] {
        var warnings: [EventWarning] = []
        for (effect, event) in waiting.removeValue(forKey: transactionID) ?? [] {
            do throws(TransitionRefused) {
                warnings += try post(effect, from: event)
            } catch {
                warnings.append(.waitingRefundDropped)
            }
        }
        return warnings
    }

    private mutating func post(
        _ refund: Effect.Refund,
        from event: StoreEvent
    ) throws(TransitionRefused) -> [EventWarning] {
        guard let index = index(of: refund.transactionID), books.orders[index].isPriced else {
            waiting[refund.transactionID, default: []].append((.refunded(refund), event))
            return refund.isInPassing ? [] : [.refundWithoutCharge]
        }
        let order = books.orders[index]
        guard refund.currency ?? order.amount.currency == order.amount.currency else {
            throw TransitionRefused(
                .refundInOtherCurrency,
                "The refund is in \(refund.currency?.code ?? "?"), the charge was in \(order.amount.currency).",
                of: event
            )
        }
        do throws(MoneyError) {
            books.orders[index].count(refund)
            let target = try refund.target(of: order.amount)
            let more = try target - order.refunded  // safe: of money; it throws
            guard more.minorUnits != 0 else {
                return refund.isInPassing ? [] : [target.minorUnits == 0 ? .nothingToRefund : .alreadyRefunded]
            }
            var moment = refund.revocation.at
            // The store has taken some of it back: what stood ends, and what stands now begins.
            if more.minorUnits < 0 {
                moment = event.signedAt
                books.orders[index].giveBack(order.refunded, at: moment, told: event)
            }
            books.orders[index].take(more.minorUnits < 0 ? target : more, at: moment, told: event)
        } catch {
            throw TransitionRefused(
                .amountOutOfRange,
                "The refund cannot be computed.",
                of: event,
                underlying: error
            )
        }
        return []
    }

    private mutating func post(_ reversal: Effect.Reversal, from event: StoreEvent) -> [EventWarning] {
        guard let index = index(of: reversal.transactionID), books.orders[index].isPriced else {
            waiting[reversal.transactionID, default: []].append((.refundReversed(reversal), event))
            return reversal.isInPassing ? [] : [.refundWithoutCharge]
        }
        (books.orders[index].revokedSeats, books.orders[index].isRefundEstimated) = (0, false)
        let refunded = books.orders[index].refunded
        guard refunded.minorUnits > 0 else { return reversal.isInPassing ? [] : [.nothingToReverse] }
        books.orders[index].giveBack(refunded, at: reversal.at, told: event)
        return []
    }

    /// Takes over what a message that was taken says of its transaction's order, its price before all, and of upgrades.
    mutating func complete(from event: StoreEvent) -> [EventWarning] {
        upgrades.note(event)
        let transaction = event.transaction
        guard let index = index(of: transaction.id) else {
            if told[transaction.id] == nil, let price = transaction.price { told[transaction.id] = (price, event) }
            return []
        }
        books.orders[index].complete(from: transaction)
        return settlePrice(of: transaction.id, transaction.price, from: event)
    }

    private func index(of transactionID: String) -> Int? {
        books.orders.firstIndex { $0.transactionID == transactionID }
    }
}

extension BookedOrder {
    /// Another message charges for the same transaction. That it was an upgrade is said by one alone, and holds.
    fileprivate mutating func hear(_ kind: LedgerEntry.Kind) {
        guard kind == .upgrade else { return }
        awaitedKind = .upgrade
        if !entries.isEmpty { entries[0].kind = .upgrade }
    }

    fileprivate mutating func complete(from transaction: StoreTransaction) {
        // After an upgrade the store's end is the time of the upgrade, no longer the end of the paid period.
        if transaction.isUpgraded != true { periodEndsAt = transaction.expiresAt ?? periodEndsAt }
        periodStartsAt = transaction.startsAt ?? periodStartsAt
        storefront = storefront ?? transaction.storefront
        offer = transaction.offer?.isFreeTrial == true ? transaction.offer : offer ?? transaction.offer
        customerToken = transaction.customerToken ?? customerToken
    }

    /// The seats that a refund has taken so far.
    fileprivate mutating func count(_ refund: Effect.Refund) {
        if let seats = refund.seats {
            (revokedSeats, isRefundEstimated) = (
                seats.revoked, seats.revoked > 0 && refund.revocation.milliPercent == nil
            )
        } else if revokedSeats > 0 {
            (revokedSeats, isRefundEstimated) = (refund.revocation.share >= 100_000 ? quantity : revokedSeats, false)
        }
    }

    /// A refund, named by its date.
    fileprivate mutating func take(_ amount: Money, at moment: Date, told event: StoreEvent) {
        guard amount.minorUnits > 0 else { return }
        entries.append(
            LedgerEntry(
                kind: .refund,
                amount: Money(minorUnits: Int64.zero.minus(amount.minorUnits), currency: amount.currency),
                occurredAt: moment,
                reference: free("refund:\(moment.milliseconds)"),
                eventID: event.id
            )
        )
    }

    /// The end of all refunds that stand.
    fileprivate mutating func giveBack(_ amount: Money, at moment: Date, told event: StoreEvent) {
        entries.append(
            LedgerEntry(
                kind: .refundReversal,
                amount: amount,
                occurredAt: moment,
                reference: free("reversal:\(moment.milliseconds)"),
                eventID: event.id
            )
        )
    }

    /// The name, or with a count behind it when an earlier entry has it: refunded, reversed, refunded with the same
    /// date.
    private func free(_ name: String) -> String {
        let taken = entries.count { $0.reference == name || $0.reference.hasPrefix(name + "-") }
        return taken == 0 ? name : "\(name)-\(taken + 1)"
    }
}

extension Date {
    /// Whole milliseconds since 1970, as stores count; the bounds for what an `Int64` cannot hold.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}
