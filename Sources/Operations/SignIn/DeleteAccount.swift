package import Billing
import Storage

extension BackOffice {
    /// Deletes a customer's account: ends their sessions on every server, erases what tells of a person and has their sign-ins ended
    /// at the providers. The books stay, under an id that names nobody; what they have access to ends as it would have.
    ///
    /// - Returns: false where it was deleted before; nothing is done then.
    /// - Throws: `OperationsError` with `.notFound` where the app has no such customer.
    @discardableResult
    package func deleteAccount(of customer: Customer.ID, app: App.ID, caller: Caller) async throws -> Bool {
        try await database.write { transaction in
            let parties = try await transaction.customers.lock([customer], of: app)
            let customer = parties[customer]?.id ?? customer
            if try await deleteAccount(of: customer, app, by: caller, in: transaction) { return true }
            guard try await transaction.customers.isDeleted(customer, of: app) == true else {
                throw OperationsError(.notFound, "There is no such customer.")
            }
            return false
        }
    }

    /// - Parameter ended: the identity whose sign-in has ended at its provider already.
    /// - Returns: false where there is no such customer, or no longer.
    func deleteAccount(
        of customer: Customer.ID,
        _ app: App.ID,
        by caller: Caller,
        ended: SignInIdentity.ID? = nil,
        in transaction: WriteTransaction
    ) async throws -> Bool {
        guard try await transaction.signIns.lock(customer, of: app) else { return false }
        if try await transaction.consents.current(of: customer)?.isGiven == true {
            let withdrawal = ConsumptionConsent(
                isGiven: false,
                source: .app,
                staff: nil,
                actor: caller.actor,
                at: transaction.now
            )
            try await transaction.consents.record(withdrawal, of: customer)
        }
        let identities = try await transaction.signIns.identities(of: customer)
        try await transaction.seatClaims.endAll(of: customer, by: .deleted, of: app)
        for order in try await transaction.checkouts.closeAll(of: customer, because: .accountDeleted) {
            try await transaction.jobs.enqueue(.checkout, for: order.uuid, of: app)
        }
        try await transaction.customers.erase(customer)
        if let ended { _ = try await transaction.signIns.remove([ended], isOver: true) }
        let rest = identities.map(\.id).filter { $0 != ended }
        for revocation in try await transaction.signIns.remove(rest) {
            try await transaction.jobs.enqueue(
                .signInRevocation,
                for: revocation.uuid,
                of: app,
                maxAttempts: SignInRevocation.maxAttempts
            )
        }
        let sessions = try await transaction.customerSessions.endAll(of: customer)
        let providers = Set(identities.map(\.provider.rawValue)).sorted().joined(separator: " ")
        try await transaction.audit.append(
            caller.entry(
                .deleteCustomer,
                on: "customer",
                customer.description,
                app: app,
                customer: customer,
                after: AuditJSON([
                    ("providers", providers.isEmpty ? nil : providers), ("sessions", String(sessions)),
                ]).text
            )
        )
        return true
    }

    /// The customer whose account was deleted, by the access token of the deletion, so that a call whose answer was lost can be repeated.
    ///
    /// - Returns: nil for every other text.
    /// - Throws: `OperationsError` with `.overloaded` while the keys of an app's own issuer are not available.
    package func deletedCustomer(_ accessToken: some StringProtocol) async throws -> Customer.ID? {
        let text = String(accessToken)
        guard let session = try await accessTokens.verify(text).flatMap({ CustomerSession.ID($0.sid) }) else {
            return try await deletedCustomer(issued: text)
        }
        return try await database.readPrimary { try await $0.deletedCustomer(of: session) }
    }
}
