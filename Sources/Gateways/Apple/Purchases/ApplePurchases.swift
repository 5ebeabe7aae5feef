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
        }
    }

    package func confirm(_ proof: PurchaseProof, at now: Date) async throws(GatewayError) -> [StoreEvent] {
        switch proof {
        case .signedTransactions(let signed):
            var events: [StoreEvent] = []
            // One answer tells of all periods of a subscription, however many of them are restored.
            for event in try await read(signed, at: now).events.newest(ofEach: \.transaction) {
                events += try await self.events(of: event.transaction, in: event.environment, at: now) ?? []
            }
            return events.eachOnce
        case .receipt(let receipt): return try await confirm(receipt, at: now)
        case .transactionID(let id): return try await events(ofTransaction: id, in: nil, at: now)
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
                throw named
            }
        }
        // It may have been refunded since.
        let isOld = signedLast < now.addingTimeInterval(-Self.freshness)
        return ProvenPurchases(events: events.eachOnce, needsConfirmation: isOld && api != nil)
    }

    /// How long what Apple signed is taken without asking, in seconds (stores/apple.md, Corrections and decisions).
    private static let freshness: TimeInterval = 3_600

    // MARK: Receipts

    /// Without the secret verifyReceipt tells nothing of subscriptions; the App Store Server API does.
    private var asksVerifyReceipt: Bool { receipts != nil && (sharedSecret != nil || api == nil) }

    /// What only Apple can judge, a signature that ends nowhere known, waits for Apple; what is not for this app never passes.
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
            let mayBeKnownToApple = [.invalidChain, .invalidSignature, .unsupportedAlgorithm].contains(error.code)
            if mayBeKnownToApple, asksVerifyReceipt { return ProvenPurchases(needsConfirmation: true) }
            var named = error
            named.field = "receipt"
            throw named
        }
    }

    private func confirm(_ receipt: String, at now: Date) async throws(GatewayError) -> [StoreEvent] {
        guard let receipts, asksVerifyReceipt else { return try await confirmSigned(receipt, at: now) }
        let verified = try await receipts.verify(receipt, sharedSecret: sharedSecret, for: app)
        var events = try verified.events(at: now)
        guard api != nil else { return events }
        // A receipt says neither prices nor what comes next; who can be asked for them, is.
        for transaction in events.newest(ofEach: \.transaction).map(\.transaction) {
            events += try await self.events(of: transaction, in: verified.environment, at: now) ?? []
        }
        return events.eachOnce
    }

    private func confirmSigned(_ text: String, at now: Date) async throws(GatewayError) -> [StoreEvent] {
        let receipt = try AppleReceiptVerifier().verify(text, for: app, at: now)
        var events: [StoreEvent] = []
        let purchases = receipt.purchases.filter { !$0.isRestoration }.map(\.storeTransaction)
        for transaction in purchases.newest(ofEach: \.self) {
            events += try await self.events(of: transaction, in: receipt.environment, at: now) ?? []
        }
        return events.eachOnce
    }

    // MARK: What Apple is asked

    /// - Returns: nil where Apple does not know the transaction.
    private func events(
        of transaction: StoreTransaction,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(GatewayError) -> [StoreEvent]? {
        guard let statuses else { throw Self.noKey }
        if transaction.kind == .autoRenewable,
            let events = try await statuses.events(of: transaction.originalID, besides: [], in: environment, at: now)
        {
            return events
        }
        do throws(GatewayError) {
            return [try await event(ofTransaction: transaction.id, in: environment, at: now)]
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }

    private func events(
        ofTransaction id: String,
        in environment: StoreEnvironment?,
        at now: Date
    ) async throws(GatewayError) -> [StoreEvent] {
        let event = try await event(ofTransaction: id, in: environment, at: now)
        let more = try await events(of: event.transaction, in: event.environment, at: now) ?? []
        return ([event] + more).eachOnce
    }

    private func event(
        ofTransaction id: String,
        in environment: StoreEnvironment?,
        at now: Date
    ) async throws(GatewayError) -> StoreEvent {
        guard let api else { throw Self.noKey }
        let answer: AppleServerAnswer<AppleTransactionInfo>
        do {
            answer = try await api.transaction(id, in: environment, isFresh: true)
        } catch {
            guard error.isNotFound || error.code == .invalidTransactionID else { throw GatewayError(error) }
            throw GatewayError(.missing, "Apple knows no transaction of this id.", field: "transactionId")
        }
        let transaction = try await verifier.transaction(
            answer.content.signedTransaction,
            for: app,
            in: answer.environment,
            at: now
        )
        return try StoreEvent(observing: transaction, in: answer.environment, at: now)
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
    /// What Apple said of each purchase: where it stands, and for a subscription's current one what comes next.
    ///
    /// - Throws: `.malformed` for what the books do not take.
    func events(at now: Date) throws(GatewayError) -> [StoreEvent] {
        let signedAt = requestedAt ?? now
        var events: [StoreEvent] = []
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
                renewal: renewal?.terms
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
    /// Whether it can be kept as an id of a store's.
    fileprivate var isStoreIdentifier: Bool {
        !isEmpty && utf8.count <= StoreEvent.longestIdentifier && !utf8.contains(0)
    }
}
