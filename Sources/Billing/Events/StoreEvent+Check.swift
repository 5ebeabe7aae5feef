extension StoreEvent {
    /// Refuses dates and prices that nothing here is made for: asked as a message comes in, so that no subscription
    /// begins with them, and again of each event in a history, where older ones may be.
    package func requireKeepable() throws(TransitionRefused) {
        try requireTexts()
        try requireRealTransaction()
        try requireDates()
        try requireAmounts()
    }

    /// Refuses what cannot be true of any subscription, whatever its state.
    func requirePossible() throws(TransitionRefused) {
        try requireIdentifiers()
        try requireKeepable()
        try requirePeriod()
        try requireRenewingProduct()
    }

    /// Rejects an event of another subscription, store or environment than the history's first event.
    ///
    /// - Parameter names: the store's ids of the subscription.
    func requireSameSubscription(as first: StoreEvent, called names: Set<String>) throws(TransitionRefused) {
        guard store == first.store else {
            throw TransitionRefused(
                .otherStore,
                "The event is from \(store); the history is of \(first.store).",
                of: self
            )
        }
        guard environment == first.environment else {
            throw TransitionRefused(
                .otherEnvironment,
                "The event is from \(environment); the history is of \(first.environment).",
                of: self
            )
        }
        guard names.contains(transaction.originalID) else {
            throw TransitionRefused(
                .otherSubscription,
                "The event belongs to the subscription \(transaction.originalID), not to \(first.transaction.originalID).",
                of: self
            )
        }
    }

    /// The stores' own identifiers have some twenty characters. Of what is longer no index can be kept, and no database text can
    /// hold a NUL.
    private func requireTexts() throws(TransitionRefused) {
        let texts = [
            id, transaction.id, transaction.originalID, transaction.productID, transaction.offer?.identifier,
            transaction.storefront, transaction.appTransactionID, transaction.previousOriginalID,
            transaction.purchaseID, renewal?.nextProductID, renewal?.offer?.identifier,
        ]
        guard
            (texts + (renewal?.winBackOfferIDs ?? [])).allSatisfy({
                $0.map { $0.utf8.count <= StoreEvent.longestIdentifier && !$0.utf8.contains(0) } ?? true
            })
        else {
            throw TransitionRefused(
                .identifierUnusable,
                "An identifier is longer than \(StoreEvent.longestIdentifier) bytes or has a NUL in it.",
                of: self
            )
        }
    }

    /// Xcode's own store calls its transactions 0, 1, 2 …; the App Store's have at least fifteen digits. Of all of them a 0 would
    /// be one order.
    private func requireRealTransaction() throws(TransitionRefused) {
        guard environment == .production, transaction.id == "0" || transaction.originalID == "0" else { return }
        throw TransitionRefused(
            .identifierUnusable,
            "A transaction 0 is none of the store's: test environments name theirs so.",
            of: self
        )
    }

    private func requireIdentifiers() throws(TransitionRefused) {
        guard !id.isEmpty, !transaction.id.isEmpty, !transaction.originalID.isEmpty, !transaction.productID.isEmpty
        else {
            throw TransitionRefused(
                .missingIdentifier,
                "The event, transaction or product has no identifier.",
                of: self
            )
        }
    }

    /// A date centuries away is the signer's mistake: no calendar, order number or metric is made for it.
    private func requireDates() throws(TransitionRefused) {
        let dates = [
            signedAt, acknowledgeBy, transaction.purchasedAt, transaction.startsAt, transaction.expiresAt,
            transaction.revocation?.at, renewal?.renewsAt, renewal?.gracePeriodEndsAt, transaction.commitment?.endsAt,
        ]
        guard dates.allSatisfy({ $0.map(StoreEvent.possibleDates.contains) ?? true }) else {
            throw TransitionRefused(.dateOutOfRange, "A date lies outside the years 1970 to 2999.", of: self)
        }
    }

    private func requireAmounts() throws(TransitionRefused) {
        let prices = [
            transaction.price, transaction.wholePrice, transaction.commitment?.price, renewal?.renewalPrice,
            transaction.revocation?.amount,
        ]
        for price in prices.compactMap(\.self) {
            guard price.minorUnits >= 0 else {
                throw TransitionRefused(.negativePrice, "A price of \(price) cannot be charged.", of: self)
            }
            guard price.minorUnits <= Money.highestPrice else {
                throw TransitionRefused(
                    .amountOutOfRange,
                    "A price of \(price) is beyond what the books take.",
                    of: self
                )
            }
        }
        guard StoreTransaction.possibleQuantities.contains(transaction.quantity) else {
            throw TransitionRefused(
                .quantityOutOfRange,
                "A quantity of \(transaction.quantity) cannot be sold.",
                of: self
            )
        }
        guard (0...100_000).contains(transaction.revocation?.milliPercent ?? 0) else {
            throw TransitionRefused(
                .refundShareOutOfRange,
                "The share to refund lies outside 0 % to 100 %.",
                of: self
            )
        }
    }

    private func requirePeriod() throws(TransitionRefused) {
        if let end = transaction.expiresAt {
            guard end > transaction.periodStartsAt else {
                throw TransitionRefused(.periodReversed, "The period ends before it starts.", of: self)
            }
            return
        }
        switch transaction.kind {
        case .autoRenewable, .nonRenewing:
            // Without this a missing field would give access for ever.
            throw TransitionRefused(.endMissing, "The end of the paid period is missing.", of: self)
        case .consumable, .nonConsumable: return
        }
    }

    private func requireRenewingProduct() throws(TransitionRefused) {
        switch transaction.kind {
        case .autoRenewable, .nonRenewing: return
        case .consumable, .nonConsumable: break
        }
        guard kind.isAboutRenewal else { return }
        throw TransitionRefused(
            .productDoesNotRenew,
            "\(transaction.productID) is bought once; \(kind) cannot happen to it.",
            of: self
        )
    }
}
