package import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Judges a proof of purchase: signed purchases count at once, and the store is asked about the rest.
    ///
    /// The request waits for the store for twenty seconds. A later answer is fetched in the background; until then, a purchase that its
    /// signature proves gives access for a while, and a proof that proves nothing by itself gives none.
    ///
    /// - Returns: the result, also of a proof that waits.
    /// - Throws: `OperationsError`: `.invalid` for an invalid proof, by its field; `.conflict` for an account token of somebody else, and
    ///   if the app's account lacks the settings for asking the store; `.notFound` if the catalogue has none of its products and the
    ///   request refuses that.
    package func verifyPurchase(_ request: PurchaseRequest, of app: App.ID) async throws -> PurchaseVerification {
        let source = try await purchaseSource(of: app, at: request.store)
        let now = database.now
        let proven: ProvenPurchases
        var appTransaction: (id: String, environment: StoreEnvironment)?
        do {
            proven = try await source.read(request.proof, at: now)
            if let signed = request.signedAppTransaction {
                appTransaction = try await source.appTransactionID(in: signed, at: now)
            }
        } catch {
            throw OperationsError(proof: error, of: request.proof)
        }
        let verification = try await begin(request, proven, appTransaction, of: app)
        let judged = try await judge(verification, proven, by: source)
        if request.refusesUnknownProducts, let product = judged.unknownProduct, judged.verification.state == .pending {
            throw OperationsError(
                .notFound,
                "The product \(product) is not in the app's catalogue.",
                field: "productId",
                reason: .productNotFound
            )
        }
        return judged.verification
    }

    /// Takes in the proven purchases, and asks the store about the others.
    ///
    /// - Parameter lease: that of the job that asks; nil within a request.
    func judge(
        _ verification: PurchaseVerification,
        _ proven: ProvenPurchases,
        by source: any PurchaseSource,
        lease: Lease? = nil
    ) async throws -> JudgedPurchase {
        var taken = TakenEvents()
        try await take(proven.events, for: verification, into: &taken)
        let judged: PurchaseVerification
        if proven.needsConfirmation {
            judged = try await confirm(verification, by: source, besides: proven, &taken, lease)
        } else {
            judged = try await settle(verification, proven.events, taken, lease: lease)
        }
        return JudgedPurchase(verification: judged, unknownProduct: taken.isEmpty ? taken.unknownProduct : nil)
    }

    /// The time that a request waits for the store (stores/apple.md, Corrections and decisions).
    private static var patience: Duration { .seconds(20) }

    /// - Throws: `OperationsError` with `.conflict` where apps send nothing of that store.
    func purchaseSource(of app: App.ID, at store: Store) async throws -> any PurchaseSource {
        guard let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] else {
            throw OperationsError(
                .conflict,
                "The app has no account at \(store.rawValue).",
                reason: .storeNotConnected
            )
        }
        do {
            if let source = try gateway.purchases(of: account) { return source }
        } catch {
            throw OperationsError(error)
        }
        throw OperationsError(
            .conflict,
            "Apps send no purchases of \(store.rawValue).",
            reason: .storeNotConnected
        )
    }

    private func begin(
        _ request: PurchaseRequest,
        _ proven: ProvenPurchases,
        _ appTransaction: (id: String, environment: StoreEnvironment)?,
        of app: App.ID
    ) async throws -> PurchaseVerification {
        try await database.write { transaction in
            var customer: Customer.ID
            switch request.customer {
            case .known(let known): customer = try await transaction.customers.current(known)
            case .named(let identity): customer = try await transaction.identify(identity, of: app)
            }
            for (environment, ids) in proven.appTransactionIDs(and: appTransaction) {
                // A proof that may be old joins no customers before the store has confirmed it.
                let fresh = proven.needsConfirmation ? ids.filter { $0 == appTransaction?.id } : ids
                customer = try await join(customer, using: fresh, in: environment, of: app, in: transaction)
                try await transaction.purchases.link(customer, to: ids, in: environment, of: app)
                // The device's own, and no other's that a proof names.
                if let id = appTransaction?.id, fresh.contains(id) {
                    try await transaction.seatClaims.name(claimsOf: customer, as: id, in: environment, of: app)
                }
            }
            let verification = try await transaction.purchases.begin(
                request.proof,
                digest: request.proof.digest,
                of: customer,
                in: app,
                at: request.store,
                proven.environment,
                worthless: proven.worthless.map { "\($0.field): \($0.reason)" }
            )
            if proven.needsConfirmation {
                // Should this server end before it has an answer, another asks.
                try await transaction.jobs.enqueue(
                    .purchaseVerification,
                    for: verification.id.uuid,
                    of: app,
                    at: database.now.addingTimeInterval(30)
                )
            }
            return verification
        }
    }

    /// Asks the store, and takes what it answers.
    private func confirm(
        _ verification: PurchaseVerification,
        by source: any PurchaseSource,
        besides proven: ProvenPurchases,
        _ taken: inout TakenEvents,
        _ lease: Lease?
    ) async throws -> PurchaseVerification {
        let now = database.now
        let answer: ConfirmedPurchases
        do {
            // A request waits for a while; a job keeps its lease and waits to the end.
            answer =
                lease == nil
                ? try await within(Self.patience) { try await source.confirm(verification.proof, at: now) }
                : try await source.confirm(verification.proof, at: now)
        } catch is CancellationError {
            try Task.checkCancellation()
            return try await wait(verification, proven, because: "The store did not answer in time.")
        } catch let failure as StoreFailure {
            guard let error = failure.refusal?.reason else {
                return try await wait(verification, proven, because: failure.message)
            }
            // A refusal does not void signed events: the store need not know them any more.
            guard proven.events.isEmpty else {
                return try await settle(
                    verification,
                    proven.events,
                    taken,
                    isConfirmed: false,
                    askedAt: now,
                    lease: lease
                )
            }
            let rejected = try await reject(verification, because: error.message, lease: lease)
            guard lease == nil else { return rejected }
            throw OperationsError(proof: error, of: verification.proof)
        }
        try await take(answer.events, for: verification, into: &taken)
        if let unanswered = answer.unanswered {
            return try await wait(verification, proven.besides(answer.events), because: unanswered.message)
        }
        return try await settle(verification, proven.events + answer.events, taken, askedAt: now, lease: lease)
    }

    /// Applies what the store said.
    private func take(
        _ events: [StoreEvent],
        for verification: PurchaseVerification,
        into taken: inout TakenEvents
    ) async throws {
        for event in events {
            let incoming = IncomingEvent(app: verification.app, event: event, origin: .verification)
            do {
                if case .refused(let reason) = try await apply(incoming, patience: .seconds(5)) {
                    taken.problem = taken.problem ?? reason.message
                    taken.isForCatalogue = false
                }
                taken.isEmpty = false
            } catch let error as OperationsError where error.code == .notFound {
                taken.problem = taken.problem ?? error.message
                if error.field == "productId" {
                    taken.unknownProduct = event.transaction.productID
                } else {
                    taken.isForCatalogue = false
                }
            }
        }
    }
}

/// The result of a proof.
struct JudgedPurchase: Sendable {
    var verification: PurchaseVerification
    /// A product that the catalogue lacks, if all proven purchases are such.
    var unknownProduct: String?
}

/// The result of taking in the events of the store's answers.
struct TakenEvents: Sendable {
    /// The reason that some of them failed; they are tried again.
    var problem: String?
    /// True if all failures are about products that the catalogue lacks: the store has answered about them.
    var isForCatalogue = true
    /// A product that the catalogue lacks.
    var unknownProduct: String?
    /// True if no event was taken.
    var isEmpty = true

    /// True if the taken events are settled for good, and the rest is retried by itself.
    var isSettledInPart: Bool { !isEmpty && isForCatalogue }
}

extension ProvenPurchases {
    /// Adds the store's answers so far.
    fileprivate func besides(_ answered: [StoreEvent]) -> ProvenPurchases {
        let known = Set(answered.map(\.transaction.originalID))
        var proven = self
        proven.events += answered
        proven.unconfirmed.removeAll { known.contains($0.originalID) }
        return proven
    }

    /// The accounts at the store that it names, by environment.
    fileprivate func appTransactionIDs(
        and signed: (id: String, environment: StoreEnvironment)?
    ) -> [(StoreEnvironment, [String])] {
        var ids = Dictionary(grouping: events, by: \.environment).mapValues { events in
            Set(events.compactMap(\.transaction.appTransactionID))
        }
        if let signed { ids[signed.environment, default: []].insert(signed.id) }
        return ids.filter { !$0.value.isEmpty }.map { ($0.key, $0.value.sorted()) }
            .sorted { $0.0.rawValue < $1.0.rawValue }
    }
}

extension OperationsError {
    /// A proof that proves nothing is a mistake of its sender's, not of the store's.
    fileprivate init(proof error: GatewayError, of proof: PurchaseProof) {
        switch error.code {
        case .misconfigured: self.init(.conflict, error.message, underlying: error)
        case .unreachable: self.init(error)
        case .malformed, .missing, .unsupportedAlgorithm, .invalidChain, .invalidSignature, .signedInFuture, .wrongApp,
            .wrongEnvironment:
            self.init(
                .invalid,
                error.message,
                field: error.proofField(of: proof),
                reason: .verificationFailed,
                underlying: error
            )
        }
    }
}

extension GatewayError {
    /// The field of the request that the proof stands in.
    fileprivate func proofField(of proof: PurchaseProof) -> String {
        if let field, field.hasPrefix("signed") { return field }
        return switch proof {
        case .signedTransactions: "signedTransactions"
        case .receipt: "receipt"
        case .transactionID: "transactionId"
        case .purchaseToken: "purchaseToken"
        }
    }
}
