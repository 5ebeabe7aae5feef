import Billing
import Foundation
package import Storage

extension BackOffice {
    private static var checkBatch: Int { 1_000 }
    private static var changeBatch: Int { 200 }

    /// Works on the next lines of a leased bulk job, in one transaction: all of them or none.
    package func workOnBulk(_ leased: LeasedJob) async throws -> JobProgress {
        try await database.write { transaction in
            // Its lease is taken after it, as whoever cancels it does.
            let found = try await transaction.bulk.lock(BulkJob.ID(leased.subject), of: leased.app)
            guard try await transaction.jobs.hold(leased.lease, for: Self.jobLease, hasProgressed: true) else {
                return .leaseLost
            }
            let progress = if let job = found { try await work(on: job, in: transaction) } else { JobProgress.finished }
            if progress == .finished { _ = try await transaction.jobs.complete(leased.lease) }
            return progress
        }
    }

    private func work(on job: BulkJob, in transaction: WriteTransaction) async throws -> JobProgress {
        switch job.state {
        case .checking: try await checkLines(of: job, in: transaction)
        case .running: try await applyLines(of: job, in: transaction)
        case .undoing: try await undoLines(of: job, in: transaction)
        case .ready, .waiting, .done, .cancelled, .undone: .finished
        }
    }

    // MARK: The dry run

    private func checkLines(of job: BulkJob, in transaction: WriteTransaction) async throws -> JobProgress {
        let rows = try await transaction.bulk.next(of: job.id, in: .new, limit: Self.checkBatch)
        guard !rows.isEmpty else { return try await finishChecking(job, in: transaction) }
        let found = try await transaction.bulk.customers(
            named: rows.map { $0.input.kept(in: transaction) },
            of: job.app
        )
        var taken = try await transaction.bulk.taken(found.flatMap(\.self), in: job.id)
        let known = try await transaction.entitlementSources.read(found.filter { $0.count == 1 }.flatMap(\.self))
        var results: [BulkResult] = []
        for (row, customers) in zip(rows, found) {
            var row = row
            switch customers.count {
            case 0: row.state = .notFound
            case 1 where taken.insert(customers[0]).inserted:
                row.customer = customers[0]
                preview(
                    &row,
                    known[customers[0]] ?? EntitlementSources(customer: customers[0]),
                    job,
                    at: transaction.now
                )
            case 1:
                row.customer = customers[0]
                row.state = .repeated
            case _: row.state = .ambiguous
            }
            results.append(BulkResult(row: row))
        }
        try await transaction.bulk.save(results, of: job.id)
        return .goesOn
    }

    private func finishChecking(_ job: BulkJob, in transaction: WriteTransaction) async throws -> JobProgress {
        try await transaction.bulk.setNeedsApproval(job.id, try await needsApproval(job, in: transaction))
        try await transaction.bulk.move(job.id, to: .ready)
        return .finished
    }

    private func preview(_ row: inout BulkJobItem, _ held: EntitlementSources, _ job: BulkJob, at now: Date) {
        row.before = BulkJobItem.Access(held.entitlement(at: now))
        row.after = row.before
        do throws(ActionRefused) {
            let decision = try held.decide(job.action, at: now) { Grant.ID(database.newUUID()) }
            row.state = .ready
            row.after = BulkJobItem.Access(decision.after.entitlement(at: now))
        } catch {
            row.state = .refused
            row.rejectionReason = error.code.rawValue
        }
    }

    // MARK: The action

    private func applyLines(of job: BulkJob, in transaction: WriteTransaction) async throws -> JobProgress {
        let rows = try await transaction.bulk.next(of: job.id, in: .ready, limit: Self.changeBatch)
        guard !rows.isEmpty else {
            try await finish(job, as: .done, .finishBulk, counting: .applied, in: transaction)
            return .finished
        }
        let known = try await transaction.entitlementSources.lock(rows.compactMap(\.customer), of: job.app)
        var (results, actions, entries) = ([BulkResult](), [NewEntitlementAction](), [AuditEntry]())
        for row in rows {
            var row = row
            guard let held = row.customer.flatMap({ known[$0] }) else {
                row.state = .notFound
                results.append(BulkResult(row: row))
                continue
            }
            row.before = BulkJobItem.Access(held.entitlement(at: transaction.now))
            row.after = row.before
            do throws(ActionRefused) {
                let decision = try held.decide(job.action, at: transaction.now) { Grant.ID(transaction.newUUID()) }
                let action = EntitlementActionRecord.ID(transaction.newUUID())
                row.state = .applied
                row.after = BulkJobItem.Access(decision.after.entitlement(at: transaction.now))
                actions.append(
                    NewEntitlementAction(
                        id: action,
                        app: job.app,
                        customer: held.customer,
                        kind: job.actionKind,
                        changes: decision.changes,
                        staff: job.requestedBy,
                        bulkLine: (job.id, row.line)
                    )
                )
                entries.append(entry(of: job, decision, as: job.actionKind, in: transaction))
                results.append(BulkResult(row: row, action: action))
            } catch {
                row.state = .refused
                row.rejectionReason = error.code.rawValue
                results.append(BulkResult(row: row))
            }
        }
        try await save(results, actions, entries, of: job, in: transaction)
        return .goesOn
    }

    // MARK: Taking it back

    private func undoLines(of job: BulkJob, in transaction: WriteTransaction) async throws -> JobProgress {
        let rows = try await transaction.bulk.next(of: job.id, in: .applied, limit: Self.changeBatch)
        guard !rows.isEmpty else {
            try await finish(job, as: .undone, .finishUndoingBulk, counting: .undone, in: transaction)
            return .finished
        }
        let known = try await transaction.entitlementSources.lock(rows.compactMap(\.customer), of: job.app)
        let done = try await transaction.bulk.actions(of: job.id, lines: rows.map(\.line))
        var (results, actions, entries) = ([BulkResult](), [NewEntitlementAction](), [AuditEntry]())
        for row in rows {
            var row = row
            guard let held = row.customer.flatMap({ known[$0] }), let record = done[row.line] else {
                row.state = .kept
                row.rejectionReason = ActionRefused.Code.notHeld.rawValue
                results.append(BulkResult(row: row))
                continue
            }
            do throws(ActionRefused) {
                guard record.undoneBy == nil else { throw ActionRefused(.changedSince) }
                let decision = try held.decide(.undo(record.changes), at: transaction.now) {
                    Grant.ID(transaction.newUUID())
                }
                let action = EntitlementActionRecord.ID(transaction.newUUID())
                row.state = .undone
                actions.append(
                    NewEntitlementAction(
                        id: action,
                        app: job.app,
                        customer: held.customer,
                        kind: .undo,
                        changes: decision.changes,
                        undoes: record.id,
                        staff: job.undoRequestedBy
                    )
                )
                entries.append(entry(of: job, decision, as: .undo, in: transaction))
                results.append(BulkResult(row: row, undo: action))
            } catch {
                row.state = .kept
                row.rejectionReason = error.code.rawValue
                results.append(BulkResult(row: row))
            }
        }
        try await save(results, actions, entries, of: job, in: transaction)
        return .goesOn
    }

    private func save(
        _ results: [BulkResult],
        _ actions: [NewEntitlementAction],
        _ entries: [AuditEntry],
        of job: BulkJob,
        in transaction: WriteTransaction
    ) async throws {
        if !actions.isEmpty { try await transaction.entitlementSources.save(actions) }
        try await transaction.bulk.save(results, of: job.id)
        for entry in entries { try await transaction.audit.append(entry) }
    }

    private func finish(
        _ job: BulkJob,
        as state: BulkJob.State,
        _ action: AuditAction,
        counting rows: BulkJobItem.State,
        in transaction: WriteTransaction
    ) async throws {
        let count = try await transaction.bulk.count(of: job.id, in: rows)
        try await transaction.bulk.move(job.id, to: state)
        try await transaction.audit.append(
            Caller(.clock(for: nil), actor: "bulk job").entry(
                action,
                on: "bulk",
                job.id.description,
                app: job.app,
                after: AuditJSON([("state", state.rawValue), (rows.rawValue, String(count))]).text,
                reason: job.reason.kept(in: transaction)
            )
        )
    }

    private func entry(
        of job: BulkJob,
        _ decision: EntitlementDecision,
        as kind: EntitlementActionRecord.Kind,
        in transaction: WriteTransaction
    ) -> AuditEntry {
        let facts = FieldChange.differences(of: decision, receiver: nil, at: transaction.now)
        let isUndo = kind == .undo
        let person = isUndo ? job.undoRequestedBy : job.requestedBy
        return Caller(.clock(for: person), actor: "bulk job \(job.id)").entry(
            kind.auditAction,
            on: "customer",
            decision.before.customer.description,
            app: job.app,
            before: facts.json(\.before),
            after: facts.json(\.after),
            reason: job.reason.kept(in: transaction)
        )
    }
}
