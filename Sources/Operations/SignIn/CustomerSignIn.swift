package import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Signs in a customer with their device's credential from a provider.
    ///
    /// A person who signs in for the first time becomes a customer, or is linked to the customer of the accompanying session. An anonymous
    /// customer of that session is merged into the customer that the provider names, and its sessions end (OWASP ASVS 7.2.4): no earlier
    /// token of the device reads the account. If an app or a provider has named both, each stays as they are and staff are shown the
    /// conflict; the same holds for a customer who already signs in at that provider.
    ///
    /// - Parameter session: that of the accompanying access token; nil without one.
    /// - Throws: `OperationsError`, mostly with a `SignInRefusal`: `.notAuthentic` for a credential that the provider rejects or that was
    ///   used before, `.conflict` if the app has no such sign-in or the account is another customer's, `.overloaded` while the provider
    ///   does not answer, `.misconfigured` for a key that does not work.
    package func signIn(
        _ request: SignInRequest,
        of app: App.ID,
        during session: CustomerSession? = nil,
        caller: Caller
    ) async throws -> SignedIn {
        guard let entry = try await apps.entry(for: app) else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        guard let cipher else {
            throw OperationsError(.misconfigured, "There is no key to seal secrets with. Set PERENNIAL_SECRET.")
        }
        let identity = try await exchange(request, entry)
        let provided = ProvidedIdentity(identity, name: request.name)
        let refresh = SecretToken.random()
        let outcome = try await database.write { transaction -> ExchangeOutcome in
            guard try await transaction.signIns.use(request.digests, of: app) else {
                return .refused(.failed(request.provider, .usedCode))
            }
            switch try await owner(of: provided, app, during: session, caller, in: transaction) {
            case .taken: return .refused(.taken(request.provider))
            case .occupied: return .refused(.occupied(request.provider))
            case .found(let customer, let identityID, let isNew):
                let sealed = try identity.refreshToken.map {
                    try cipher.seal(Array($0.revealed.utf8), for: identityID.uuid)
                }
                try await transaction.signIns.note(
                    provided,
                    of: identityID,
                    customer,
                    app: app,
                    sealedRefreshToken: sealed
                )
                let session = try await begin(.init(request.provider), refresh, for: customer, of: app, in: transaction)
                return .signedIn(customer, session, isNew: isNew, at: transaction.now)
            }
        }
        let (customer, session, isNew, start): (Customer.ID, CustomerSession.ID, Bool, Date)
        switch outcome {
        case .refused(let refusal): throw refusal.error(field: request.codeField)
        case .signedIn(let who, let begun, let made, let at): (customer, session, isNew, start) = (who, begun, made, at)
        }
        let tokens = try await pair(refresh, of: session, app, entry.record.slug, customer, from: start)
        guard let profile = try await profile(of: customer, app: app) else {
            throw OperationsError(.notAuthentic, "The account was deleted a moment ago.")
        }
        return SignedIn(tokens: tokens, profile: profile, isNew: isNew)
    }

    /// Deletes used credentials that are so old that no provider accepts them any more.
    package func forgetUsedCredentials() async throws -> Int {
        try await database.forgetUsedCredentials(before: database.now.addingTimeInterval(-3 * 86_400))
    }

    private func exchange(
        _ request: SignInRequest,
        _ entry: AppDirectory.Entry
    ) async throws -> ProviderIdentity {
        do throws(SignInError) {
            let provider = try gateways.signIn(with: request.provider, of: entry.accounts)
            return try await provider.exchange(request.credential, at: database.now)
        } catch {
            throw OperationsError(error, from: request.provider)
        }
    }

    /// The owner of a sign-in identity, or the new one; locked until the transaction ends.
    private func owner(
        of provided: ProvidedIdentity,
        _ app: App.ID,
        during session: CustomerSession?,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> SignInOwner {
        let (writes, provider) = (transaction.signIns, provided.provider)
        try await writes.lock(provided.subjects, at: provider, app: app)
        while true {
            let owner = try await writes.owner(of: provided.subjects, at: provider, app: app)
            // Both at once, in one order.
            let named = [session?.customer, owner?.customer].compactMap(\.self)
            _ = try await transaction.customers.lock(named, of: app)
            var current: Customer.ID?
            if let session {
                let customer = try await transaction.customers.current(session.customer)
                if try await writes.lock(customer, of: app) { current = customer }
            }
            guard let owner else { return try await link(provided, to: current, app, caller, in: transaction) }
            // An owner who was deleted or merged meanwhile is somebody else the next time.
            guard try await writes.lock(owner.customer, of: app) else { continue }
            if let current, current != owner.customer {
                let isMerged = try await transaction.mergeAnonymousCustomer(
                    current,
                    into: owner.customer,
                    of: app,
                    endsSessions: true
                )
                guard isMerged else {
                    try await writes.refuseLink(of: owner.identity, to: current)
                    try await note(.refuseIdentity, of: current, app, provider, caller, in: transaction)
                    return .taken
                }
            }
            return .found(owner.customer, owner.identity, isNew: false)
        }
    }

    /// Links a person who signs in for the first time to the signed-in customer, or to a new one.
    private func link(
        _ provided: ProvidedIdentity,
        to current: Customer.ID?,
        _ app: App.ID,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> SignInOwner {
        guard let current else {
            let customer = try await transaction.signIns.makeCustomer(of: app)
            let identity = try await transaction.signIns.link(provided, to: customer, of: app)
            return .found(customer, identity, isNew: true)
        }
        let (writes, provider) = (transaction.signIns, provided.provider)
        if try await transaction.customers.lock([current], of: app)[current]?.isIdentified == true {
            // Another account at the same provider: whoever it belongs to, not this customer.
            guard try await !writes.hasIdentity(of: current, at: provider) else {
                try await note(.refuseIdentity, of: current, app, provider, caller, in: transaction)
                return .occupied
            }
        } else {
            // The device's sessions and its own name are not the account's.
            _ = try await transaction.customerSessions.endAll(of: current)
            try await transaction.customers.setAsideName(of: current, app: app)
        }
        let identity = try await writes.link(provided, to: current, of: app)
        try await note(.linkIdentity, of: current, app, provider, caller, in: transaction)
        return .found(current, identity, isNew: false)
    }

    private func note(
        _ action: AuditAction,
        of customer: Customer.ID,
        _ app: App.ID,
        _ provider: AuthProvider,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws {
        try await transaction.audit.append(
            caller.entry(
                action,
                on: "customer",
                customer.description,
                app: app,
                customer: customer,
                after: AuditJSON([("provider", provider.rawValue)]).text
            )
        )
    }
}

private enum SignInOwner {
    case found(Customer.ID, SignInIdentity.ID, isNew: Bool)
    /// The provider's account belongs to another customer.
    case taken
    /// The customer has another account at the provider.
    case occupied
}

private enum ExchangeOutcome: Sendable {
    case signedIn(Customer.ID, CustomerSession.ID, isNew: Bool, at: Date)
    /// Kept all the same, as the record of the attempt.
    case refused(SignInRefusal)
}
