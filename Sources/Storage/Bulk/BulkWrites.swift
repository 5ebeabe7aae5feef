package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var bulk: BulkWrites { BulkWrites(transaction: self) }
}

package struct BulkWrites: Sendable {
    let transaction: WriteTransaction

    /// Writes a job with its lines; their dry run begins by itself.
    package func insert(
        _ id: BulkJob.ID,
        of app: App.ID,
        _ kind: BulkJob.Kind,
        plan: Identifier<Plan>?,
        days: Int?,
        endsAt: Date?,
        reason: String,
        origin: String?,
        list: ListName? = nil,
        lines: [String],
        by staff: Staff.ID
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO bulk_jobs
                (id, app_id, kind, plan_id, days, ends_at, reason, origin, origin_list, state, requested_by, requested_at)
            VALUES
                (\(id), \(app), \(kind), \(plan), \(days, as: Int32.self), \(endsAt), \(reason), \(origin), \(list),
                 'checking', \(staff), \(transaction.now))
            """
        )
        try await transaction.query(
            """
            INSERT INTO bulk_job_items (job_id, line, input)
            SELECT \(id), l.line::integer, l.input
            FROM unnest(\(lines)) WITH ORDINALITY AS l(input, line)
            """
        )
    }

    /// Locks a job; nil when the app has none like that.
    package func lock(_ id: BulkJob.ID, of app: App.ID) async throws -> BulkJob? {
        try await transaction.lock("SELECT FROM bulk_jobs WHERE id = \(id) AND app_id = \(app) FOR NO KEY UPDATE")
        return try await transaction.query("\(BulkJob.selection) WHERE j.id = \(id) AND j.app_id = \(app)")
            .first.map(BulkJob.init)
    }

    /// A job that a worker holds the lease of.
    package func job(_ id: BulkJob.ID) async throws -> BulkJob? {
        try await transaction.query("\(BulkJob.selection) WHERE j.id = \(id)").first.map(BulkJob.init)
    }

    package func approve(_ id: BulkJob.ID, by staff: Staff.ID) async throws {
        try await transaction.query(
            """
            UPDATE bulk_jobs
            SET approved_by = \(staff), approved_at = \(transaction.now)
            WHERE id = \(id)
            """
        )
    }

    package func askUndo(_ id: BulkJob.ID, by staff: Staff.ID) async throws {
        try await transaction.query(
            """
            UPDATE bulk_jobs
            SET undo_requested_by = \(staff), undo_requested_at = \(transaction.now)
            WHERE id = \(id)
            """
        )
    }

    /// Moves a job on, with the moments that go with it.
    package func move(_ id: BulkJob.ID, to state: BulkJob.State) async throws {
        let now = transaction.now
        let moments: Query =
            switch state {
            case .running: ", started_at = \(now)"
            case .done, .cancelled: ", finished_at = \(now)"
            case .undone: ", undone_at = \(now)"
            case .checking, .ready, .waiting, .undoing: ""
            }
        try await transaction.query(
            """
            UPDATE bulk_jobs
            SET state = \(state), version = version + 1\(moments)
            WHERE id = \(id)
            """
        )
    }

    package func setNeedsApproval(_ id: BulkJob.ID, _ needsApproval: Bool) async throws {
        try await transaction.query("UPDATE bulk_jobs SET needs_approval = \(needsApproval) WHERE id = \(id)")
    }

    /// Marks what a cancelled job has not come to.
    package func skipRest(of id: BulkJob.ID) async throws {
        try await transaction.query(
            "UPDATE bulk_job_items SET state = 'skipped' WHERE job_id = \(id) AND state IN ('new', 'ready')"
        )
    }

    package func count(of id: BulkJob.ID, in state: BulkJobItem.State) async throws -> Int {
        try await transaction.query("SELECT count(*) FROM bulk_job_items WHERE job_id = \(id) AND state = \(state)")
            .first?.decode(0, as: Int.self) ?? 0
    }

    /// The number of customers in the jobs that a person started today, without the jobs that somebody else approved.
    ///
    /// Undone lines count, because they were applied; lines that a cancelled job never reached do not. A simultaneous call for the
    /// same person waits until this transaction ends.
    package func startedToday(by staff: Staff.ID, of app: App.ID) async throws -> Int {
        try await transaction.lockDay(of: staff, in: app)
        return try await transaction.query(
            """
            SELECT count(*)
            FROM apps a
            JOIN bulk_jobs j ON j.app_id = a.id
            JOIN bulk_job_items r ON r.job_id = j.id
            WHERE a.id = \(app) AND j.requested_by = \(staff) AND j.approved_by IS NULL
                AND j.started_at >= date_trunc('day', \(transaction.now)::timestamptz, a.time_zone)
                AND r.state IN ('ready', 'applied', 'undone', 'kept')
            """
        ).first?.decode(0, as: Int.self) ?? 0
    }

    /// The next lines that stand there.
    package func next(of id: BulkJob.ID, in state: BulkJobItem.State, limit: Int) async throws -> [BulkJobItem] {
        try await transaction.query(
            "\(BulkJobItem.selection) WHERE job_id = \(id) AND state = \(state) ORDER BY line LIMIT \(limit)"
        ).map(BulkJobItem.init)
    }

    /// The customers of an app that each text means: by key of ours, the app's own id, the store's, or e-mail address.
    package func customers(named inputs: [String], of app: App.ID) async throws -> [[Customer.ID]] {
        let rows = try await transaction.query(Self.customers(named: inputs, of: app))
        var found = [[Customer.ID]](repeating: [], count: inputs.count)
        for row in rows {
            let (position, customer) = try row.decode(Int32.self, Customer.ID.self)
            found[Int(position) - 1].append(customer)
        }
        return found
    }

    static func customers(named inputs: [String], of app: App.ID) -> Query {
        """
        WITH lines AS MATERIALIZED (
            SELECT position::integer AS position, input
            FROM unnest(\(inputs)) WITH ORDINALITY AS i(input, position)
        )
        SELECT l.position, coalesce(c.merged_into, c.id)
        FROM lines l
        JOIN customers c ON c.app_id = \(app) AND c.key = l.input
        UNION
        SELECT l.position, coalesce(c.merged_into, c.id)
        FROM lines l
        JOIN customers c ON c.app_id = \(app) AND c.key = lower(l.input)
        UNION
        SELECT l.position, coalesce(c.merged_into, c.id)
        FROM lines l
        JOIN customers c ON c.app_id = \(app) AND c.external_id = l.input
        UNION
        SELECT l.position, coalesce(c.merged_into, c.id)
        FROM lines l
        JOIN customers c ON c.app_id = \(app) AND c.email IS NOT NULL AND \(SearchText.isSameAddress("c.email", "l.input"))
        WHERE l.input LIKE '%@%'
        UNION
        SELECT l.position, coalesce(c.merged_into, c.id)
        FROM lines l
        JOIN customers c ON c.id = CASE WHEN l.input ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
            THEN l.input::uuid END
        WHERE c.app_id = \(app)
        """
    }

    /// Those of the customers that an earlier line of the job is of.
    package func taken(_ customers: [Customer.ID], in id: BulkJob.ID) async throws -> Set<Customer.ID> {
        Set(
            try await transaction.query(
                """
                SELECT customer_id
                FROM bulk_job_items
                WHERE job_id = \(id) AND customer_id = ANY(\(customers.map(\.uuid))) AND state IN ('ready', 'refused')
                """
            ).map { try $0.decode(0, as: Customer.ID.self) }
        )
    }

    /// Writes what became of lines. An action is named where one was done, or taken back.
    package func save(_ results: [BulkResult], of id: BulkJob.ID) async throws {
        try await transaction.pipeline(
            results.map { result in
                let row = result.row
                return """
                    UPDATE bulk_job_items
                    SET customer_id = \(row.customer), state = \(row.state), rejection_reason = \(row.rejectionReason),
                        plan_before = \(row.before.plan), ends_before = \(row.before.until),
                        plan_after = \(row.after.plan), ends_after = \(row.after.until),
                        action_id = coalesce(\(result.action), action_id),
                        undo_action_id = coalesce(\(result.undo), undo_action_id)
                    WHERE job_id = \(id) AND line = \(row.line, as: Int32.self)
                    """
            }
        )
    }

    /// The actions of lines that were applied, by line.
    package func actions(of id: BulkJob.ID, lines: [Int]) async throws -> [Int: EntitlementActionRecord] {
        let named = try await transaction.query(
            "SELECT line, action_id FROM bulk_job_items WHERE job_id = \(id) AND line = ANY(\(lines, as: Int32.self))"
        ).map { try $0.decode(Int.self, EntitlementActionRecord.ID.self) }
        let records = try await transaction.entitlementSources.actions(named.map(\.1))
        let byID = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
        return named.reduce(into: [:]) { actions, pair in actions[pair.0] = byID[pair.1] }
    }
}

/// The result of a line.
package struct BulkResult: Sendable {
    package var row: BulkJobItem
    package var action: EntitlementActionRecord.ID?
    package var undo: EntitlementActionRecord.ID?

    package init(
        row: BulkJobItem,
        action: EntitlementActionRecord.ID? = nil,
        undo: EntitlementActionRecord.ID? = nil
    ) {
        self.row = row
        self.action = action
        self.undo = undo
    }
}
