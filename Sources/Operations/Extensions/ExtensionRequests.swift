package import Billing
import Foundation
import Gateways
package import Storage

/// How long a renewal is put off, and why: what forms, programs and the command line ask for, checked.
package struct ExtensionTerms: Sendable, Hashable {
    package let days: Int
    package let reasonCode: ExtensionReason

    /// Apple's: at most so many days at a time.
    package static let possibleDays = 1...90

    /// - Throws: `OperationsError` with everything that is wrong with `days` and `reasonCode`.
    package init(days: String?, reasonCode: String?) throws(OperationsError) {
        var problems: [FieldProblem] = []
        let text = (days ?? "").trimmingCharacters(in: .whitespaces)
        let number = Int(text)
        if let number {
            if number < Self.possibleDays.lowerBound {
                problems.append(FieldProblem("days", .tooSmall(String(Self.possibleDays.lowerBound))))
            } else if number > Self.possibleDays.upperBound {
                problems.append(FieldProblem("days", .tooLarge(String(Self.possibleDays.upperBound))))
            }
        } else {
            problems.append(FieldProblem("days", text.isEmpty ? .missing : .notANumber))
        }
        let code = reasonCode.flatMap(ExtensionReason.init(name:))
        if code == nil {
            problems.append(FieldProblem("reasonCode", reasonCode?.isEmpty ?? true ? .missing : .unknownChoice))
        }
        guard let number, let code, problems.isEmpty else { throw OperationsError(problems: problems) }
        (self.days, self.reasonCode) = (number, code)
    }
}

extension BackOffice {
    /// Has a store put off the next renewal of one subscription. A worker asks the store.
    ///
    /// - Returns: the outcome, whose result is the extension's id.
    /// - Throws: `OperationsError`: `.forbidden`, `.notFound`, or `.conflict` where the store cannot do it.
    package func extendRenewal(
        of subscription: Subscription.ID,
        app: App.ID,
        _ terms: ExtensionTerms,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.giveAccess) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await runOnce(key) { transaction in
            guard let found = try await transaction.extensionRequests.subscription(subscription, of: app) else {
                throw OperationsError(.notFound, "There is no such subscription.")
            }
            return try await extend(found, app, terms, reason, caller, in: transaction)
        }
    }

    /// The same by the store's own number of the subscription.
    package func extendRenewal(
        of original: String,
        at store: Store,
        in environment: StoreEnvironment,
        app: App.ID,
        _ terms: ExtensionTerms,
        reason: Reason,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.giveAccess) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await runOnce(nil) { transaction in
            let found = try await transaction.extensionRequests.subscription(
                original,
                at: store,
                in: environment,
                of: app
            )
            guard let found else { throw OperationsError(.notFound, "There is no subscription \(original).") }
            return try await extend(found, app, terms, reason, caller, in: transaction)
        }
    }

    private func extend(
        _ found: ExtensibleSubscription,
        _ app: App.ID,
        _ terms: ExtensionTerms,
        _ reason: Reason,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> (UUID, String) {
        try await requireServer(of: app, at: found.store)
        let row = ExtensionRequest(
            id: ExtensionRequest.ID(transaction.newUUID()),
            app: app,
            store: found.store,
            environment: found.environment,
            target: .subscription(found.id, originalTransactionID: found.originalTransactionID),
            days: terms.days,
            reasonCode: terms.reasonCode,
            reason: Personal(reason.text),
            requested: .init(staff: caller.staff, actor: caller.actor, at: transaction.now)
        )
        return (try await begin(row, customer: found.customer, reason, caller, in: transaction), row.id.description)
    }

    /// Has a store put off the next renewal of everybody who subscribes to a product.
    ///
    /// - Parameter storefronts: three-letter countries in capitals; empty for all.
    /// - Throws: `OperationsError`: `.forbidden`, `.invalid` for the countries, `.notFound` for the product, or `.conflict` where
    ///   the store cannot do it.
    package func extendRenewals(
        ofProduct productID: String,
        at store: Store,
        in environment: StoreEnvironment,
        storefronts: [String],
        app: App.ID,
        _ terms: ExtensionTerms,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.runBulkJobs) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        guard storefronts.count <= 250, storefronts.allSatisfy({ $0.wholeMatch(of: /[A-Z]{3}/) != nil }) else {
            throw OperationsError(problems: [
                FieldProblem("storefronts", .other("Countries have three capital letters each, such as USA CHN."))
            ])
        }
        guard let product = try await apps.product(productID, at: store, of: app) else {
            throw OperationsError(
                .notFound,
                "The product \(productID) is not in the app's catalogue.",
                field: "product"
            )
        }
        return try await runOnce(key) { transaction in
            try await requireServer(of: app, at: store)
            let row = ExtensionRequest(
                id: ExtensionRequest.ID(transaction.newUUID()),
                app: app,
                store: store,
                environment: environment,
                target: .product(
                    product.id,
                    storeProductID: productID,
                    storefronts: storefronts.isEmpty ? nil : storefronts
                ),
                days: terms.days,
                reasonCode: terms.reasonCode,
                reason: Personal(reason.text),
                requested: .init(staff: caller.staff, actor: caller.actor, at: transaction.now)
            )
            return (try await begin(row, customer: nil, reason, caller, in: transaction), row.id.description)
        }
    }

    private func requireServer(of app: App.ID, at store: Store) async throws {
        guard try await storeServer(of: app, at: store) != nil else {
            throw OperationsError(
                .conflict,
                "\(store.rawValue) cannot be asked to extend: the app's catalogue has no key for that."
            )
        }
    }

    private func begin(
        _ row: ExtensionRequest,
        customer: Customer.ID?,
        _ reason: Reason,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> UUID {
        try await transaction.extensionRequests.insert(row)
        if let many = row.renewalExtension { _ = try await transaction.renewalExtensions.open(many) }
        let entry = try await transaction.audit.append(
            caller.entry(
                customer == nil ? .extendRenewals : .extendRenewal,
                on: customer == nil ? "app" : "customer",
                customer?.description ?? row.app.description,
                app: row.app,
                customer: customer,
                after: AuditJSON([
                    ("extension", row.id.description), ("target", row.target.name), ("days", String(row.days)),
                    ("reasonCode", row.reasonCode.name),
                ]).text,
                reason: reason.forAudit
            )
        )
        try await transaction.jobs.enqueue(.extensionRequest, for: row.id.uuid, of: row.app)
        return entry
    }

    /// Asks a store to put renewals off, and looks until it is done. A worker that is lost has it asked again under the same id,
    /// which does nothing more.
    func extendRenewal(_ leased: LeasedJob) async throws -> JobProgress {
        let id = ExtensionRequest.ID(leased.subject)
        let found = try await database.write { try await $0.extensionRequests.find(id) }
        guard let found, !found.state.isFinished, let server = try await storeServer(of: leased.app, at: found.store)
        else {
            return try await end(leased)
        }
        let state: ExtensionRequest.State
        do {
            state = try await advance(found, with: server)
        } catch {
            if error.code == .unreachable || error.code == .misconfigured { throw JobFailure(error.message) }
            state = .refused(at: database.now, code: error.storeCode, message: error.message)
        }
        do {
            return try await database.write { transaction in
                try await transaction.extensionRequests.save(state, of: id)
                if case .refused = state, found.state == .sending, let many = found.renewalExtension {
                    try await transaction.renewalExtensions.withdraw(many)
                }
                let isOurs =
                    state.isFinished
                    ? try await transaction.jobs.complete(leased.lease)
                    : try await transaction.jobs.hold(leased.lease, for: Self.jobLease)
                guard isOurs else { throw LeaseLost() }
                return state.isFinished ? .finished : .notYet(for: .seconds(10))
            }
        } catch is LeaseLost {
            return .leaseLost
        }
    }

    private func advance(
        _ row: ExtensionRequest,
        with server: any StoreServer
    ) async throws(GatewayError) -> ExtensionRequest.State {
        let length = StoreExtension(id: row.id.uuid, days: row.days, reason: row.reasonCode)
        switch row.target {
        case .subscription(_, let original):
            let renewsAt = try await server.extend(original, by: length, in: row.environment)
            return .succeeded(at: database.now, .init(renewsAt: renewsAt))
        case .product(_, let product, let storefronts):
            if row.state == .sending {
                try await server.extendAll(
                    subscribersTo: product,
                    by: length,
                    storefronts: storefronts,
                    in: row.environment
                )
                return .running
            }
            let progress = try await server.progress(of: length.id, forProduct: product, in: row.environment)
            guard let progress else { return .running }
            return .succeeded(at: database.now, .init(succeeded: progress.succeeded, failed: progress.failed))
        }
    }
}

extension ExtensionRequest {
    /// What the store's messages about the subscribers of a product belong to; nil of one subscription.
    fileprivate var renewalExtension: RenewalExtension? {
        guard case .product(_, let product, let storefronts) = target else { return nil }
        return RenewalExtension(
            id: RenewalExtension.ID(id.uuid),
            app: app,
            store: store,
            environment: environment,
            requestIdentifier: id.description,
            productID: product,
            storefronts: storefronts ?? [],
            request: RenewalExtension.Request(
                days: days,
                reasonCode: Int(reasonCode.rawValue),
                requestedAt: requested.at
            )
        )
    }
}

extension ExtensionRequest.Target {
    /// The store's own name of it.
    package var name: String {
        switch self {
        case .subscription(_, let original): original
        case .product(_, let product, _): product
        }
    }
}
