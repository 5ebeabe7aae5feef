package import Billing
package import Foundation

/// Judges what an app sends of its purchases at Apple: signed transactions, receipts, bare ids (stores/apple.md, 2 and 3).
package struct ApplePurchases: PurchaseSource {
    private let app: AppleConfiguration
    private let verifier: AppleVerifier
    private let api: AppleServerAPI?
    private let statuses: AppleReconciliation?
    private let receipts: VerifyReceiptClient?
    private let sharedSecret: Secret?

    /// - Parameters:
    ///   - api: nil for an account without a key; then no transaction can be asked for.
    ///   - receipts: nil where `verifyReceipt` is not to be asked.
    package init(
        of app: AppleConfiguration,
        verifier: AppleVerifier,
        api: AppleServerAPI?,
        receipts: VerifyReceiptClient?,
        sharedSecret: Secret?
    ) {
        self.app = app
        self.verifier = verifier
        self.api = api
        statuses = api.map { AppleReconciliation($0, verifier: verifier, app: app) }
        self.receipts = receipts
        self.sharedSecret = sharedSecret
    }

    package func read(_ proof: PurchaseProof, at now: Date) async throws(GatewayError) -> ProvenPurchases {
        switch proof {
        case .signedTransactions(let signed): return try await read(signed, at: now)
        case .receipt(let receipt): return try read(receipt, at: now)
        case .transactionID:
            guard api != nil else { throw Self.noKey }
            return ProvenPurchases(needsConfirmation: true)
        case .purchaseToken: throw Self.noToken
        }
    }

    package func confirm(_ proof: PurchaseProof, at now: Date) async throws(StoreFailure) -> ConfirmedPurchases {
        switch proof {
        case .signedTransactions(let signed):
            let proven = try await StoreFailure.verifying { () async throws(GatewayError) in
                try await read(signed, at: now)
            }
            // One answer tells of all periods of a subscription, however many of them are restored.
            return try await ask(about: proven.events.newest(ofEach: \.transaction), at: now)
        case .receipt(let receipt): return try await confirm(receipt, at: now)
        case .transactionID(let id):
            return ConfirmedPurchases(try await events(ofTransaction: id, in: nil, at: now))
        case .purchaseToken: throw .refused(StoreRefusal(Self.noToken))
        }
    }

    package func appTransactionID(
        in signed: String,
        at now: Date
    ) async throws(GatewayError) -> (id: String, environment: StoreEnvironment)? {
        let json = try await verifier.appTransaction(signed, for: app, at: now)
        let fields = try JSONFields(json, of: "app transaction")
        guard let id = try fields.string("appTransactionId"), id.isStoreIdentifier else { return nil }
        let isProduction = try fields.string("receiptType") == AppleEnvironment.production.rawValue
        return (id, isProduction ? .production : .sandbox)
    }

    // MARK: What is signed

    private func read(_ signed: [String], at now: Date) async throws(GatewayError) -> ProvenPurchases {
        var events: [StoreEvent] = []
        var worthless: [GatewayError] = []
        var signedLast = now
        for (index, text) in signed.enumerated() {
            do throws(GatewayError) {
                let transaction = try await verifier.transaction(text, for: app, at: now)
                let environment: StoreEnvironment =
                    transaction.rawEnvironment == AppleEnvironment.production.rawValue ? .production : .sandbox
                events.append(try StoreEvent(observing: transaction, in: environment, at: now))
                signedLast = min(signedLast, transaction.signedDate ?? now)
            } catch {
                var named = error
                named.field = "signedTransactions.\(index)"
                worthless.append(named)
            }
        }
        // One that is forged, or another app's, keeps back no other.
        if events.isEmpty, let first = worthless.first { throw first }
        // It may have been refunded since, or gone on after its period.
        let isOld = signedLast < now.addingTimeInterval(-Self.freshness)
        let isOver = events.contains { $0.transaction.kind == .autoRenewable && $0.transaction.isOver(at: now) }
        return ProvenPurchases(
            events: events.eachOnce,
            needsConfirmation: (isOld || isOver) && api != nil,
            worthless: worthless.map { WorthlessItem(field: $0.field ?? "signedTransactions", reason: $0.message) }
        )
    }

    /// The age, in seconds, up to which a signed transaction is taken without asking Apple (stores/apple.md, Corrections and decisions).
    private static let freshness: TimeInterval = 3_600

    // MARK: Receipts

    /// Without the secret verifyReceipt reports no subscriptions; the App Store Server API does.
    private var asksVerifyReceipt: Bool { receipts != nil && (sharedSecret != nil || api == nil) }

    /// A receipt that only Apple can judge, as its signature cannot be verified here, waits for Apple; one for another app never passes.
    private func read(_ receipt: String, at now: Date) throws(GatewayError) -> ProvenPurchases {
        guard receipts != nil || api != nil else { throw Self.noKey }
        do throws(GatewayError) {
            let receipt = try AppleReceiptVerifier().verify(receipt, for: app, at: now)
            return ProvenPurchases(
                unconfirmed: receipt.purchases.filter { !$0.isRestoration }.map(\.storeTransaction),
                needsConfirmation: true,
                environment: receipt.environment
            )
        } catch {
            var named = error
            let mayBeKnownToApple = [.invalidChain, .invalidSignature, .unsupportedAlgorithm].contains(error.code)
            if mayBeKnownToApple, let receipts, asksVerifyReceipt {
                do throws(GatewayError) {
                    try receipts.requireAskable(receipt, for: app)
                    return ProvenPurchases(needsConfirmation: true)
                } catch {
                    named = error
                }
            }
            named.field = "receipt"
            throw named
        }
    }

    private func confirm(_ receipt: String, at now: Date) async throws(StoreFailure) -> ConfirmedPurchases {
        guard let receipts, asksVerifyReceipt else { return try await confirmSigned(receipt, at: now) }
        let verified = try await receipts.verify(receipt, sharedSecret: sharedSecret, for: app)
        var (events, unreadable) = verified.events(at: now)
        unreadable = verified.unreadable + unreadable
        var confirmed = ConfirmedPurchases(
            [],
            unanswered: unreadable.first.map { StoreFailure(unreadable: GatewayError(.malformed, $0)) }
        )
        // A receipt says neither prices nor what comes next; who can be asked for them, is.
        if api != nil {
            do {
                let asked = try await ask(about: events.newest(ofEach: \.transaction), at: now)
                events += asked.events
                confirmed.unanswered = confirmed.unanswered ?? asked.unanswered
            } catch {
                confirmed.unanswered = error
            }
        }
        confirmed.events = events.eachOnce
        return confirmed
    }

    private func confirmSigned(_ text: String, at now: Date) async throws(StoreFailure) -> ConfirmedPurchases {
        let receipt = try StoreFailure.reading { () throws(GatewayError) in
            try AppleReceiptVerifier().verify(text, for: app, at: now)
        }
        let purchases = receipt.purchases.filter { !$0.isRestoration }.map(\.storeTransaction)
        return try await ask(about: purchases.newest(ofEach: \.self).map { ($0, receipt.environment) }, at: now)
    }

    // MARK: What Apple is asked

    private func ask(about events: [StoreEvent], at now: Date) async throws(StoreFailure) -> ConfirmedPurchases {
        try await ask(about: events.map { ($0.transaction, $0.environment) }, at: now)
    }

    /// Asks about one after the other, the newest first. One that brings no answer keeps back no other, unless the store is down: after
    /// three in a row the rest is left for the next time. Transactions that Apple no longer knows are left out.
    ///
    /// - Throws: if none brought an answer.
    private func ask(
        about transactions: [(transaction: StoreTransaction, environment: StoreEnvironment)],
        at now: Date
    ) async throws(StoreFailure) -> ConfirmedPurchases {
        var confirmed = ConfirmedPurchases([])
        var (answers, inARow) = (0, 0)
        for (transaction, environment) in transactions.reversed() where inARow < Self.patience {
            do {
                confirmed.events += try await events(of: transaction, in: environment, at: now)
                (answers, inARow) = (answers + 1, 0)
            } catch {
                guard error.refusal == nil else {
                    (answers, inARow) = (answers + 1, 0)
                    continue
                }
                confirmed.unanswered = confirmed.unanswered ?? error
                inARow += 1
            }
        }
        if answers == 0, let failure = confirmed.unanswered { throw failure }
        confirmed.events = confirmed.events.eachOnce
        return confirmed
    }

    private static let patience = 3

    /// - Throws: `.refused` where Apple does not know the transaction.
    private func events(
        of transaction: StoreTransaction,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> [StoreEvent] {
        guard let statuses else { throw .misconfigured(Self.noKey) }
        if transaction.kind == .autoRenewable,
            let standing = try await statuses.events(of: transaction.originalID, besides: [], in: environment, at: now)
        {
            return standing.events
        }
        return [try await event(ofTransaction: transaction.id, in: environment, at: now)]
    }

    private func events(
        ofTransaction id: String,
        in environment: StoreEnvironment?,
        at now: Date
    ) async throws(StoreFailure) -> [StoreEvent] {
        let event = try await event(ofTransaction: id, in: environment, at: now)
        do {
            return ([event] + (try await events(of: event.transaction, in: event.environment, at: now))).eachOnce
        } catch {
            guard error.refusal != nil else { throw error }
            return [event]
        }
    }

    private func event(
        ofTransaction id: String,
        in environment: StoreEnvironment?,
        at now: Date
    ) async throws(StoreFailure) -> StoreEvent {
        guard let api else { throw .misconfigured(Self.noKey) }
        let answer: AppleServerAnswer<AppleTransactionInfo>
        do {
            answer = try await api.transaction(id, in: environment, isFresh: true)
        } catch {
            guard error.isSaidNo, error.isNotFound || error.code == .invalidTransactionID else {
                throw StoreFailure(error)
            }
            let reason = GatewayError(.missing, "Apple knows no transaction of this id.", field: "transactionId")
            throw .refused(StoreRefusal(code: error.rawCode, reason))
        }
        return try await StoreFailure.verifying { () async throws(GatewayError) in
            let transaction = try await verifier.transaction(
                answer.content.signedTransaction,
                for: app,
                in: answer.environment,
                at: now
            )
            return try StoreEvent(observing: transaction, in: answer.environment, at: now)
        }
    }

    private static var noToken: GatewayError {
        GatewayError(.malformed, "Apple's purchases have no purchase token.", field: "purchaseToken")
    }

    private static var noKey: GatewayError {
        GatewayError(
            .misconfigured,
            "The app's account at Apple has no key for the App Store Server API.",
            field: "privateKey"
        )
    }
}

extension VerifiedReceipt {
    /// Apple's account of each purchase: its state, and the next renewal of a subscription's current one. A purchase that the books do not
    /// take is listed as unreadable, and the others are taken all the same.
    func events(at now: Date) -> (events: [StoreEvent], unreadable: [String]) {
        let signedAt = requestedAt ?? now
        var (events, unreadable): ([StoreEvent], [String]) = ([], [])
        for purchase in purchases where !purchase.isRestoration {
            let isCurrent = current(originalTransactionID: purchase.originalTransactionID) == purchase
            let renewal =
                isCurrent ? renewals.first { $0.originalTransactionID == purchase.originalTransactionID } : nil
            let event = StoreEvent(
                id: "receipt:\(purchase.transactionID):\(signedAt.appleMilliseconds)",
                store: .apple,
                environment: environment,
                signedAt: signedAt,
                kind: .observed,
                transaction: purchase.storeTransaction,
                renewal: renewal?.terms,
                status: isCurrent ? renewal?.status(of: purchase, at: signedAt) : nil
            )
            do {
                try event.requireKeepable()
                events.append(event)
            } catch {
                unreadable.append(error.message)
            }
        }
        return (events, unreadable)
    }
}

extension AppleReceiptRenewal {
    /// Apple's status of the subscription, which a receipt does not spell out; nil if its period says it all. Apple's grace period counts
    /// as access.
    fileprivate func status(of purchase: AppleReceiptPurchase, at moment: Date) -> StoreEvent.Status? {
        guard purchase.cancelledAt == nil, let end = purchase.expiresAt, end <= moment else { return nil }
        if let grace = gracePeriodExpiresDate, grace > moment { return .gracePeriod }
        return isInBillingRetryPeriod == true ? .billingRetry : nil
    }
}

extension [StoreEvent] {
    /// Without those whose id came before.
    fileprivate var eachOnce: [StoreEvent] {
        var seen: Set<String> = []
        return filter { seen.insert($0.id).inserted }
    }
}

extension Array {
    /// The last of each subscription, or of each purchase that is none, in the order of their dates.
    fileprivate func newest(ofEach transaction: (Element) -> StoreTransaction) -> [Element] {
        let newest = Dictionary(map { (transaction($0).originalID, $0) }) { first, second in
            transaction(first).purchasedAt < transaction(second).purchasedAt ? second : first
        }
        return newest.values.sorted { first, second in
            let (first, second) = (transaction(first), transaction(second))
            return (first.purchasedAt, first.id) < (second.purchasedAt, second.id)
        }
    }
}

extension String {
    /// True if it is a valid store identifier.
    fileprivate var isStoreIdentifier: Bool {
        !isEmpty && utf8.count <= StoreEvent.longestIdentifier && !utf8.contains(0)
    }
}

extension StoreTransaction {
    /// True once what it paid for has ended.
    fileprivate func isOver(at moment: Date) -> Bool { expiresAt.map { $0 <= moment } ?? false }
}
