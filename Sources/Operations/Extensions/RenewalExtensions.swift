package import Billing
import Foundation
import Gateways
package import Storage

/// The length of a renewal extension and its reason, validated from forms, programs and the command line.
package struct ExtensionTerms: Sendable, Hashable {
    package let days: Int
    package let reasonCode: ExtensionReason

    /// Apple's limit per extension.
    package static let possibleDays = 1...90

    /// - Throws: `OperationsError` with all problems of `days` and `reasonCode`.
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
            guard let found = try await transaction.renewalExtensions.subscription(subscription, of: app) else {
                throw OperationsError(.notFound, "There is no such subscription.")
            }
            return try await extend(found, app, terms, reason, caller, in: transaction)
        }
    }

    /// Extends the renewal date of a subscription, by the store's own id of it.
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
            let found = try await transaction.renewalExtensions.subscription(
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
        guard !found.isAssigned else {
            throw OperationsError(
                .conflict,
                "It is a seat that was assigned: only the buyer's own subscription can be extended."
            )
        }
        try await requireServer(of: app, at: found.store)
        let target = RenewalExtension.Target.subscription(found.id, originalTransactionID: found.originalTransactionID)
        try await requireNone(underWay: target, app, found.store, found.environment, in: transaction)
        let row = RenewalExtension(
            id: RenewalExtension.ID(transaction.newUUID()),
            app: app,
            store: found.store,
            environment: found.environment,
            target: target,
            request: request(terms, reason, caller, at: transaction.now)
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
        guard try await apps.product(productID, at: store, of: app) != nil else {
            throw OperationsError(
                .notFound,
                "The product \(productID) is not in the app's catalogue.",
                field: "product"
            )
        }
        return try await runOnce(key) { transaction in
            try await requireServer(of: app, at: store)
            let target = RenewalExtension.Target.product(
                storeProductID: productID,
                storefronts: storefronts.isEmpty ? nil : storefronts
            )
            try await requireNone(underWay: target, app, store, environment, in: transaction)
            let row = RenewalExtension(
                id: RenewalExtension.ID(transaction.newUUID()),
                app: app,
                store: store,
                environment: environment,
                target: target,
                request: request(terms, reason, caller, at: transaction.now)
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

    /// A store that has not answered may have done it: asked for another one, it would do both.
    private func requireNone(
        underWay target: RenewalExtension.Target,
        _ app: App.ID,
        _ store: Store,
        _ environment: StoreEnvironment,
        in transaction: WriteTransaction
    ) async throws {
        let open = try await transaction.renewalExtensions.underWay(for: target, of: app, at: store, in: environment)
        guard let open else { return }
        throw OperationsError(
            .conflict,
            "\(store.rawValue) has not said yet what became of the last extension (\(open)): ask for another one when it has."
        )
    }

    private func request(
        _ terms: ExtensionTerms,
        _ reason: Reason,
        _ caller: Caller,
        at now: Date
    ) -> RenewalExtension.Request {
        let act = RefundRequest.Act(
            staff: caller.staff,
            actor: caller.actor,
            at: now,
            reason: Personal(reason.text)
        )
        return RenewalExtension.Request(days: terms.days, reasonCode: terms.reasonCode, act: act)
    }

    private func begin(
        _ row: RenewalExtension,
        customer: Customer.ID?,
        _ reason: Reason,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> UUID {
        try await transaction.renewalExtensions.insert(row)
        let entry = try await transaction.audit.append(
            caller.entry(
                customer == nil ? .extendRenewals : .extendRenewal,
                on: customer == nil ? "app" : "customer",
                customer?.description ?? row.app.description,
                app: row.app,
                customer: customer,
                after: AuditJSON([
                    ("extension", row.id.description), ("target", row.target.name),
                    ("days", String(row.request?.days ?? 0)), ("reasonCode", row.request?.reasonCode.name ?? ""),
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
        let id = RenewalExtension.ID(leased.subject)
        let found = try await database.write { try await $0.renewalExtensions.find(id) }
        guard let found, let request = found.request, !found.state.isFinished,
            let server = try await storeServer(of: leased.app, at: found.store)
        else {
            return try await end(leased)
        }
        let state: RenewalExtension.State
        do {
            state = try await advance(found, request, with: server)
        } catch {
            guard let refusal = error.refusal else { throw JobFailure(error) }
            state = .refused(at: database.now, code: refusal.code, message: error.message)
        }
        do {
            return try await database.write { transaction in
                try await transaction.renewalExtensions.save(state, of: found)
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
        _ row: RenewalExtension,
        _ request: RenewalExtension.Request,
        with server: any StoreServer
    ) async throws(StoreFailure) -> RenewalExtension.State {
        let length = StoreExtension(id: row.id.uuid, days: request.days, reason: request.reasonCode)
        switch row.target {
        case .subscription(_, let original):
            let renewsAt = try await server.extend(original, by: length, in: row.environment)
            return .succeeded(at: database.now, .init(renewsAt: renewsAt))
        case .product(let product, let storefronts):
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

extension RenewalExtension.Target {
    /// The store's own name of it.
    package var name: String {
        switch self {
        case .subscription(_, let original): original
        case .product(let product, _): product
        }
    }
}
