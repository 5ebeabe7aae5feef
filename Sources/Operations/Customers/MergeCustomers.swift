package import Billing
package import Storage

/// Two customers who turn out to be one (product.md, decision 15). What proves a purchase joins them, too: `ClaimPurchases`.
extension BackOffice {
    /// Ends an anonymous customer's record in another's, with everything that it holds, in one transaction: whoever used a device
    /// has signed in there. Done again, it changes nothing.
    ///
    /// The timeline of who stays shows it. Account tokens of the record that ended go on as theirs, and its id leads to them. Its
    /// sessions are theirs, too, unless a sign-in ends them.
    ///
    /// - Parameters:
    ///   - anonymous: may have been merged before; then it is whom they have become.
    ///   - account: likewise. Stays, whoever came first.
    /// - Returns: false where the first is an account of its own: two accounts never become one, and nothing is changed.
    /// - Throws: `OperationsError` with `.notFound` for a customer that the app does not have.
    @discardableResult package func mergeAnonymousCustomer(
        _ anonymous: Customer.ID,
        into account: Customer.ID,
        of app: App.ID
    ) async throws -> Bool {
        try await database.write { try await $0.mergeAnonymousCustomer(anonymous, into: account, of: app) }
    }

    /// Counts for a customer, and once more for whom they have become where they were merged meanwhile. The customer's
    /// idempotency keys are the other's, too.
    func followingMerges<Counted: VersionedCustomer, Value>(
        of session: Counted,
        _ key: IdempotencyKey?,
        _ body: (Counted, IdempotencyKey?) async throws -> Value
    ) async throws -> Value {
        do {
            return try await body(session, key)
        } catch is CustomerIsMerged {
            let renewed = try await database.readPrimary { try await session.renewed($0) }
            guard let current = renewed else { throw OperationsError(.notAuthentic, "The session has ended.") }
            var own = key
            if own?.owner == session.customer.uuid { own?.owner = current.customer.uuid }
            return try await body(current, own)
        }
    }
}

extension WriteTransaction {
    /// Merges within a transaction, together with its cause: a sign-in.
    ///
    /// - Parameter endsSessions: true to end the device's sessions, so that its tokens do not open the account either.
    @discardableResult package func mergeAnonymousCustomer(
        _ anonymous: Customer.ID,
        into account: Customer.ID,
        of app: App.ID,
        endsSessions: Bool = false
    ) async throws -> Bool {
        let parties = try await customers.lock([anonymous, account], of: app)
        guard let gone = parties[anonymous], let survivor = parties[account] else {
            throw OperationsError(.notFound, "The app has no such customer.", field: "customer")
        }
        guard gone.id != survivor.id else { return true }
        guard !gone.isIdentified else { return false }
        if endsSessions { _ = try await customerSessions.endAll(of: gone.id) }
        try await customers.merge(gone.id, into: survivor.id, of: app)
        return true
    }
}
