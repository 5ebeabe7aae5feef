package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// The changes that a command would make now, for its confirm page. Changes nothing.
    ///
    /// - Throws: as `change`.
    package func forecast(
        _ command: EntitlementCommand,
        for customer: Customer.ID,
        of app: App.ID,
        caller: Caller
    ) async throws -> EntitlementPreview {
        try await database.readPrimary { reader in
            guard let settings = try await reader.entitlementSources.settings(of: app),
                let held = try await reader.entitlementSources.of(customer, app: app)
            else { throw Self.noCustomer }
            var known = [customer: held]
            var undone: EntitlementActionRecord?
            if let id = command.undone {
                undone = try await reader.entitlementSources.action(id, app: app)?.ifDone(to: customer)
            }
            for other in [command.receiver].compactMap(\.self) + (undone?.parties ?? []) where known[other] == nil {
                known[other] = try await reader.entitlementSources.of(other, app: app)
            }
            let now = reader.now
            return try forecast(command, for: undone?.holder ?? customer, known, settings, undone, caller, at: now) {
                Grant.ID(database.newUUID())
            }
        }
    }

    /// Runs a command for one customer, in one transaction, with one audit entry.
    ///
    /// - Parameters:
    ///   - key: the command runs once under it.
    ///   - version: that of the forecast that the person saw; nil for a caller who saw none.
    ///   - confirmsRevokingPaid: true if the person confirmed that paid access is taken away.
    /// - Throws: `OperationsError` with `.notFound`, `.stale` if something has changed since the forecast, `.forbidden`, or `.conflict`
    ///   with an `ActionRefused` underneath.
    package func change(
        _ customer: Customer.ID,
        of app: App.ID,
        _ command: EntitlementCommand,
        reason: Reason,
        key: IdempotencyKey?,
        version: Int?,
        confirmsRevokingPaid: Bool = true,
        caller: Caller
    ) async throws -> ActionOutcome {
        let tellsAccounts = await isToldOfAccounts(app)
        return try await runOnce(key) { transaction in
            let undone = try await undone(by: command, for: customer, of: app, in: transaction)
            let parties = [customer, command.receiver].compactMap(\.self) + (undone?.parties ?? [])
            let known = try await transaction.entitlementSources.lock(Array(Set(parties)), of: app)
            let subject = undone?.holder ?? customer
            guard let settings = try await transaction.entitlementSources.settings(of: app), let held = known[subject]
            else {
                throw Self.noCustomer
            }
            guard version == nil || version == held.fingerprint else { throw Self.stale }
            // Read again under the lock: somebody else may have taken it back meanwhile.
            let current = try await self.undone(by: command, for: customer, of: app, in: transaction)
            let forecast = try forecast(command, for: subject, known, settings, current, caller, at: transaction.now) {
                Grant.ID(transaction.newUUID())
            }
            guard confirmsRevokingPaid || !forecast.decision.revokesPaid else {
                throw OperationsError(problems: [FieldProblem("confirmation", .notConfirmed)])
            }
            try await transaction.entitlementSources.save([
                NewEntitlementAction(
                    id: EntitlementActionRecord.ID(transaction.newUUID()),
                    app: app,
                    customer: subject,
                    kind: command.kind,
                    changes: forecast.decision.changes,
                    undoes: command.undone,
                    staff: caller.staff
                )
            ])
            if tellsAccounts {
                try await transaction.jobs.enqueueAccounts(after: forecast.decision.changes, of: app)
            }
            let entry = try await transaction.audit.append(
                caller.entry(
                    command.kind.auditAction,
                    on: "customer",
                    subject.description,
                    app: app,
                    before: forecast.facts.json(\.before),
                    after: forecast.facts.json(\.after),
                    reason: reason.forAudit
                )
            )
            return (entry, subject.description)
        }
    }

    /// The action that the command undoes; nil when it was done to other customers.
    private func undone(
        by command: EntitlementCommand,
        for customer: Customer.ID,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws -> EntitlementActionRecord? {
        guard let id = command.undone else { return nil }
        return try await transaction.entitlementSources.action(id, of: app)?.ifDone(to: customer)
    }

    private func forecast(
        _ command: EntitlementCommand,
        for customer: Customer.ID,
        _ known: [Customer.ID: EntitlementSources],
        _ settings: SupportPolicy,
        _ undone: EntitlementActionRecord?,
        _ caller: Caller,
        at now: Date,
        _ newID: () -> Grant.ID
    ) throws -> EntitlementPreview {
        guard let held = known[customer] else { throw Self.noCustomer }
        let action = try self.action(command, settings, undone, held, caller, at: now)
        if let receiver = command.receiver, known[receiver] == nil {
            throw OperationsError(problems: [FieldProblem("receiver", .unknownChoice)])
        }
        do throws(ActionRefused) {
            let decision = try held.decide(action, at: now, within: caller.authority(settings), newID: newID)
            return EntitlementPreview(
                decision: decision,
                facts: FieldChange.differences(of: decision, receiver: decision.receiver(among: known), at: now),
                version: held.fingerprint,
                undone: undone
            )
        } catch {
            throw OperationsError(error)
        }
    }

    private func action(
        _ command: EntitlementCommand,
        _ settings: SupportPolicy,
        _ undone: EntitlementActionRecord?,
        _ held: EntitlementSources,
        _ caller: Caller,
        at now: Date
    ) throws(OperationsError) -> EntitlementAction {
        func known(_ source: Entitlement.Source?) throws(OperationsError) -> Entitlement.Source {
            if let source { return source }
            do throws(ActionRefused) {
                return try held.current(at: now)
            } catch {
                throw OperationsError(error)
            }
        }
        switch command {
        case .grant(let code, let term): return .grant(try plan(code, settings), term)
        case .extend(let source, let days): return .extend(try known(source), days: days)
        case .revoke(let source): return .revoke(try known(source))
        case .restore(let source): return .restore(source)
        case .changeTier(let source, let code): return .changeTier(try known(source), to: try plan(code, settings))
        case .transfer(let id, let receiver): return .transfer(id, to: receiver)
        case .cancelAtPeriodEnd(let source): return .cancelAtPeriodEnd(try known(source))
        case .undo:
            guard let undone else {
                throw OperationsError(.notFound, "There is no such action.")
            }
            guard undone.undoneBy == nil else { throw OperationsError(ActionRefused(.changedSince)) }
            guard caller.role != .support || undone.staff == caller.staff else {
                throw OperationsError(.forbidden, "Support takes back only what it did itself; an admin can.")
            }
            return .undo(undone.changes)
        }
    }

    private func plan(_ code: String, _ settings: SupportPolicy) throws(OperationsError) -> Plan {
        guard let plan = settings.plan(code)?.plan else {
            throw OperationsError(problems: [FieldProblem("plan", code.isEmpty ? .missing : .unknownChoice)])
        }
        return plan
    }

    private static var noCustomer: OperationsError {
        OperationsError(.notFound, "The app has no such customer.")
    }

    private static var stale: OperationsError {
        OperationsError(.stale, "What this customer holds has changed since it was shown.")
    }
}

extension Caller {
    /// The limit on the access that this person may grant.
    func authority(_ settings: SupportPolicy) -> GrantAuthority {
        role == .support ? .days(settings.supportGrantLimitDays) : .unlimited
    }
}

extension OperationsError {
    /// A rejection by the rules, with the field of the form that it is about.
    init(_ refused: ActionRefused) {
        switch refused.code {
        case .daysOutOfRange, .aboveLimit: self.init(.invalid, refused.description, field: "days", underlying: refused)
        case .endOutOfRange: self.init(.invalid, refused.description, field: "until", underlying: refused)
        case .planIsFree, .notAbovePaid, .samePlan, .changesNothing:
            self.init(.invalid, refused.description, field: "plan", underlying: refused)
        case .sameCustomer: self.init(.invalid, refused.description, field: "receiver", underlying: refused)
        case .nothingRuns, .notHeld, .hasNoEnd, .isOver, .alreadyRevoked, .notRevoked, .onlyAtStore, .isSeat,
            .nothingFollows,
            .changedSince:
            self.init(.conflict, refused.description, underlying: refused)
        }
    }
}

extension EntitlementActionRecord {
    /// The action as this customer's; nil when it touched others only.
    fileprivate func ifDone(to customer: Customer.ID) -> EntitlementActionRecord? {
        parties.contains(customer) ? self : nil
    }

    /// Everyone whose entitlement sources it touched.
    var parties: [Customer.ID] {
        [customer]
            + changes.flatMap { change -> [Customer.ID] in
                if case .transferred(_, let old, let new, _, _) = change { [old, new] } else { [] }
            }
    }
}

extension EntitlementActionRecord {
    /// The customer whose entitlement sources undo it: after a transfer, the receiver.
    var holder: Customer.ID {
        changes.reduce(customer) { holder, change in
            if case .transferred(_, _, let new, _, _) = change { new } else { holder }
        }
    }
}

extension EntitlementDecision {
    /// The customer who receives a transfer, before and after.
    fileprivate func receiver(
        among known: [Customer.ID: EntitlementSources]
    ) -> (before: EntitlementSources, after: EntitlementSources)? {
        for case .transferred(let id, _, let new, _, let isOwnerLocked) in changes {
            guard let receiver = known[new], var held = before.subscription(id) else { continue }
            held.isOwnerLocked = isOwnerLocked
            var after = receiver
            after.subscriptions.append(held)
            after.grants += before.grants.filter { $0.follows == id }
            return (receiver, after)
        }
        return nil
    }
}
