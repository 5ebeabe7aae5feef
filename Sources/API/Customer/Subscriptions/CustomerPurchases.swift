package import Billing
package import HTTP
package import Operations
package import Storage

/// Reads subscriptions and verifies purchases for the customer API, whatever shape it answers in.
package struct CustomerPurchases: Sendable {
    package let backOffice: BackOffice

    /// Returns the current subscription as of when the session was read.
    func current(of session: CustomerSession) async throws -> CurrentSubscription {
        let catalog = try await backOffice.catalogs.catalog(of: session.app, version: session.catalogVersion)
        return CurrentSubscription(
            try await backOffice.entitlements.sources(of: session),
            of: session,
            basePlan: catalog.basePlan?.plan.code,
            at: backOffice.database.now
        )
    }

    /// Returns the current subscription after a write, by which an anonymous customer may have become a known one.
    func changed(of session: CustomerSession) async throws -> CurrentSubscription {
        let renewed = try await backOffice.database.readPrimary { try await $0.customerSession(session.id) }
        guard let renewed else { throw WebError(.unauthenticated, "The session has ended.") }
        return try await current(of: renewed)
    }

    /// Returns how far stores have confirmed the customer's purchases.
    func confirmation(for current: CurrentSubscription) async throws -> StoreConfirmation {
        try await backOffice.database.readPrimary {
            try await $0.screens.storeConfirmation(of: current.session.customer)
        }
    }

    /// Returns the product of the subscription; nil where the catalogue no longer has it, or nothing is known of it.
    func product(of current: CurrentSubscription) async throws -> ProductRecord? {
        guard let held = current.held, let id = held.subscription.productID else { return nil }
        return try await backOffice.apps.product(id, at: held.store, of: current.session.app)
    }

    /// - Throws: `OperationsError` as `BackOffice.verifyPurchase` does, by the fields of `ReceiptRequest`, and for a product that
    ///   the catalogue does not have (product.md, decision 17: an authentic purchase is kept all the same), and with `.conflict`
    ///   where all purchases are somebody else's; `RateLimitExceeded` for more proofs of the customer than a few a minute.
    package func verify(
        _ proof: PurchaseProof,
        _ signedAppTransaction: String?,
        for call: CustomerRequest
    ) async throws -> PurchaseVerification {
        try await countReceipt(of: call)
        do {
            var request = try PurchaseRequest(
                claimant: .known(call.customer),
                proof: proof,
                signedAppTransaction: signedAppTransaction
            )
            request.refusesUnknownProducts = true
            let verification = try await backOffice.verifyPurchase(request, of: call.app)
            try await backOffice.requireOwn(verification)
            return verification
        } catch let error as OperationsError {
            throw error.renaming("receipt", to: "receiptData").forPrograms()
        }
    }

    /// Has Apple asked about the latest purchases that the customer has here, and returns what they have then: what a call without a proof
    /// means.
    ///
    /// - Throws: as `verify`, for more calls than a few a minute.
    func asked(for call: CustomerRequest) async throws -> CurrentSubscription {
        try await countReceipt(of: call)
        try await backOffice.syncPurchases(of: call.customer, app: call.app)
        return try await changed(of: call.session)
    }

    /// Counts a call that asks a store, or checks what one has signed, against the rate limit.
    package func countReceipt(of call: CustomerRequest) async throws {
        try await call.context.take(
            [.receipts(of: call.customer)],
            own: await backOffice.apps.rateLimits(of: call.app),
            from: backOffice.rateLimiter
        )
    }
}

extension PurchaseVerification.State {
    /// True if the proven purchase gives the customer access, even if only until the store confirms it.
    package var givesAccess: Bool { self != .rejected && self != .pending }
}
