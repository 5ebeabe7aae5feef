package import Billing
package import Foundation
package import Storage

/// A customer's trial of their app: available, current or past.
package struct CustomerTrial: Sendable {
    /// nil for an app that offers none.
    package var offer: TrialOffer?
    package var sources: EntitlementSources
    package var now: Date

    /// The reason that the customer cannot start one; nil if they can.
    package var refusal: TrialRefusal? {
        // A customer who had one is told so, even if the app no longer offers any.
        let refusal = sources.trialRefusal(at: now)
        return offer == nil && refusal != .trialUsed ? .noTrial : refusal
    }
}

extension BackOffice {
    /// - Throws: the database's errors.
    package func trial(for session: CustomerSession) async throws -> CustomerTrial {
        let offer = try await catalogs.catalog(of: session.app, version: session.catalogVersion).trial
        return try await database.readPrimary { reader in
            let held = try await reader.entitlementSources.of([session.customer])[session.customer]
            return CustomerTrial(
                offer: offer,
                sources: held ?? EntitlementSources(customer: session.customer),
                // One that began while this was read has begun.
                now: max(reader.now, held?.trial?.startsAt ?? reader.now)
            )
        }
    }

    /// Starts the app's trial for a customer, once: as long as it runs, whoever asks again is answered the same.
    ///
    /// - Throws: `OperationsError` with `.conflict` for a `TrialRefusal`, which it carries, and `.notFound` for a customer who is gone.
    package func startTrial(for session: CustomerSession) async throws -> CustomerTrial {
        let known = try await trial(for: session)
        // Of many who ask at once most need not wait for each other.
        if known.refusal != nil { return try known.running() }
        guard let offer = known.offer else { return try known.running() }
        let catalog = try await catalogs.catalog(of: session.app, version: session.catalogVersion)
        guard let plan = catalog.plans.first(where: { $0.plan.code == offer.plan })?.plan else {
            throw OperationsError(.conflict, "The catalogue has just changed; try again.")
        }
        return try await database.write { transaction in
            let customer = try await transaction.customers.current(session.customer)
            let locked = try await transaction.entitlementSources.lock([customer], of: session.app)
            guard let held = locked[customer] else { throw OperationsError(.notFound, "The app has no such customer.") }
            var trial = CustomerTrial(offer: offer, sources: held, now: transaction.now)
            guard trial.refusal == nil else { return try trial.running() }
            let grant = Grant(
                id: Identifier(transaction.newUUID()),
                plan: plan,
                kind: .trial,
                startsAt: transaction.now,
                endsAt: offer.end(from: transaction.now)
            )
            try await transaction.entitlementSources.start(grant, for: customer, of: session.app)
            trial.sources.grants.append(grant)
            return trial
        }
    }
}

extension CustomerTrial {
    /// - Throws: the refusal where no trial runs.
    fileprivate func running() throws -> CustomerTrial {
        if let trial = sources.trial, trial.trialState(at: now) == .trial { return self }
        let refusal = refusal ?? .noTrial
        throw OperationsError(.conflict, refusal.message, reason: refusal.reason, underlying: refusal)
    }
}

extension TrialRefusal {
    package var reason: ProblemCode {
        switch self {
        case .noTrial: .noTrial
        case .trialUsed: .trialUsed
        case .activeSubscription: .activeSubscription
        case .previouslyPaid: .previouslyPaid
        }
    }

    /// For programs; customers are told in their language.
    fileprivate var message: String {
        switch self {
        case .noTrial: "The app gives no trial."
        case .trialUsed: "The customer has had a trial."
        case .activeSubscription: "The customer has a subscription."
        case .previouslyPaid: "The customer has paid for a subscription before."
        }
    }
}
