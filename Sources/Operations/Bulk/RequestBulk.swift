package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// Asks for one action for many customers. Nothing is done for them yet: the dry run begins by itself.
    ///
    /// - Returns: the job's id as the outcome's result.
    /// - Throws: `OperationsError` with `.invalid` and what is wrong.
    package func requestBulk(
        _ request: BulkRequest,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            guard let settings = try await transaction.entitlementSources.settings(of: app), let staff = caller.staff
            else {
                throw OperationsError(.notFound, "There is no such app.")
            }
            let plan = try request.checked(settings, at: transaction.now)
            let lines = try await lines(of: request, app, transaction, caller)
            let id = BulkJob.ID(transaction.newUUID())
            try await transaction.bulk.insert(
                id,
                of: app,
                request.kind,
                plan: plan?.id,
                days: request.days,
                endsAt: request.until,
                reason: reason.forAudit,
                origin: request.origin,
                list: request.list?.name,
                lines: lines,
                by: staff
            )
            try await transaction.jobs.enqueue(.bulkJob, for: id.uuid, of: app)
            let entry = try await transaction.audit.append(
                caller.entry(
                    .requestBulk,
                    on: "bulk",
                    id.description,
                    app: app,
                    after: AuditJSON([
                        ("kind", request.kind.rawValue), ("lines", String(lines.count)),
                        ("list", request.list?.name.rawValue), ("view", request.list.flatMap { _ in request.origin }),
                    ]).text,
                    reason: reason.forAudit
                )
            )
            return (entry, id.description)
        }
    }

    /// Goes on after the dry run: at once, or to a second person when there are many customers, in this job or in all
    /// that its requester had started today.
    package func startBulk(
        _ id: BulkJob.ID,
        of app: App.ID,
        version: Int,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await change(id, of: app, version: version, key: key, caller, from: [.ready]) { transaction, job in
            // Other jobs may have started since the dry run.
            let waits = if job.needsApproval { true } else { try await needsApproval(job, in: transaction) }
            try await transaction.bulk.setNeedsApproval(id, waits)
            try await transaction.bulk.move(id, to: waits ? .waiting : .running)
            if !waits { try await transaction.jobs.enqueue(.bulkJob, for: id.uuid, of: app) }
            return waits ? .sendBulk : .startBulk
        }
    }

    /// True if a job reaches the app's limit, together with the same person's jobs of today that nobody else approved.
    func needsApproval(_ job: BulkJob, in transaction: WriteTransaction) async throws -> Bool {
        let limit = try await transaction.entitlementSources.settings(of: job.app)?.bulkApprovalFrom ?? 0
        let before = try await transaction.bulk.startedToday(by: job.requestedBy, of: job.app)
        return try await transaction.bulk.count(of: job.id, in: .ready) + before >= limit
    }

    /// Lets a job go on that somebody else asked for.
    ///
    /// - Throws: `OperationsError` with `.forbidden` for its requester.
    package func approveBulk(
        _ id: BulkJob.ID,
        of app: App.ID,
        version: Int,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await change(id, of: app, version: version, key: key, caller, from: [.waiting]) { transaction, job in
            guard let staff = caller.staff, staff != job.requestedBy else {
                throw OperationsError(.forbidden, "Whoever asked for it cannot approve it; another admin can.")
            }
            try await transaction.bulk.approve(id, by: staff)
            try await transaction.bulk.move(id, to: .running)
            try await transaction.jobs.enqueue(.bulkJob, for: id.uuid, of: app)
            return .approveBulk
        }
    }

    /// Stops a job; what it did until then stays, and can be undone.
    package func cancelBulk(
        _ id: BulkJob.ID,
        of app: App.ID,
        version: Int,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        let states: Set<BulkJob.State> = [.checking, .ready, .waiting, .running]
        return try await change(id, of: app, version: version, key: key, caller, from: states) { transaction, _ in
            try await transaction.bulk.skipRest(of: id)
            try await transaction.bulk.move(id, to: .cancelled)
            try await transaction.jobs.cancel(.bulkJob, for: id.uuid)
            return .cancelBulk
        }
    }

    /// Takes back all that a job did, but for what somebody changed since.
    package func undoBulk(
        _ id: BulkJob.ID,
        of app: App.ID,
        version: Int,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        try await change(id, of: app, version: version, key: key, caller, from: [.done, .cancelled]) { transaction, _ in
            guard let staff = caller.staff, try await transaction.bulk.count(of: id, in: .applied) > 0 else {
                throw OperationsError(.conflict, "It did nothing that could be undone.")
            }
            try await transaction.bulk.askUndo(id, by: staff)
            try await transaction.bulk.move(id, to: .undoing)
            try await transaction.jobs.enqueue(.bulkJob, for: id.uuid, of: app)
            return .undoBulk
        }
    }

    private func change(
        _ id: BulkJob.ID,
        of app: App.ID,
        version: Int,
        key: IdempotencyKey?,
        _ caller: Caller,
        from states: Set<BulkJob.State>,
        _ body: (WriteTransaction, BulkJob) async throws -> AuditAction
    ) async throws -> ActionOutcome {
        try await runOnce(key) { transaction in
            guard let job = try await transaction.bulk.lock(id, of: app) else {
                throw OperationsError(.notFound, "The app has no such job.")
            }
            guard states.contains(job.state), job.version == version else {
                throw OperationsError(.stale, "The job has gone on since it was shown.")
            }
            let action = try await body(transaction, job)
            let after = try await transaction.bulk.lock(id, of: app)?.state ?? job.state
            let entry = try await transaction.audit.append(
                caller.entry(
                    action,
                    on: "bulk",
                    id.description,
                    app: app,
                    before: AuditJSON([("state", job.state.rawValue)]).text,
                    after: AuditJSON([("state", after.rawValue)]).text,
                    reason: job.reason.kept(in: transaction)
                )
            )
            return (entry, id.description)
        }
    }

    /// The lines that were sent, or the customers that a list has now.
    private func lines(
        of request: BulkRequest,
        _ app: App.ID,
        _ transaction: WriteTransaction,
        _ caller: Caller
    ) async throws -> [String] {
        guard let list = request.list else { return request.lines }
        let customers = try await transaction.bulk.customers(
            of: list,
            app: app,
            seesPersonalData: caller.role?.may(.viewPersonalData) ?? false,
            limit: BulkRequest.longest
        )
        guard !customers.isEmpty else { throw OperationsError(problems: [FieldProblem("view", .empty)]) }
        guard customers.count <= BulkRequest.longest else {
            throw OperationsError(problems: [FieldProblem("view", .tooLarge("100,000"))])
        }
        return customers.map(\.description)
    }
}

extension BulkRequest {
    /// Everything that is wrong with it.
    package func problems(_ settings: SupportPolicy, at now: Date) -> [FieldProblem] {
        planProblems(settings) + termProblems(at: now) + lineProblems
    }

    private func planProblems(_ settings: SupportPolicy) -> [FieldProblem] {
        guard kind == .grant || kind == .changeTier else { return [] }
        let code = plan ?? ""
        guard let known = settings.plan(code) else {
            return [FieldProblem("plan", code.isEmpty ? .missing : .unknownChoice)]
        }
        return known.plan.rank == 0 ? [FieldProblem("plan", .rule(.planIsFree))] : []
    }

    private func termProblems(at now: Date) -> [FieldProblem] {
        switch (kind, days, until) {
        case (.grant, nil, nil), (.extend, nil, _): [FieldProblem("days", .missing)]
        case (_, let days?, _) where !(1...EntitlementAction.longestDays).contains(days):
            [FieldProblem("days", .rule(.daysOutOfRange))]
        case (.grant, nil, let until?) where until <= now: [FieldProblem("until", .rule(.endOutOfRange))]
        default: []
        }
    }

    private var lineProblems: [FieldProblem] {
        if lines.isEmpty { return list == nil ? [FieldProblem("lines", .missing)] : [] }
        if lines.count > Self.longest { return [FieldProblem("lines", .tooLarge("100,000"))] }
        return lines.contains { $0.utf8.count > Self.longestLine || $0.utf8.contains(0) }
            ? [FieldProblem("lines", .lineTooLong(Self.longestLine))] : []
    }

    /// The plan that is given.
    ///
    /// - Throws: `OperationsError` with `.invalid` and everything that is wrong.
    fileprivate func checked(
        _ settings: SupportPolicy,
        at now: Date
    ) throws(OperationsError) -> SupportPolicy.NamedPlan? {
        let problems = problems(settings, at: now)
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
        return kind == .grant || kind == .changeTier ? settings.plan(plan ?? "") : nil
    }
}
