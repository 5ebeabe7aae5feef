package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var entitlementSources: EntitlementSourceWrites { EntitlementSourceWrites(transaction: self) }
}

/// An action to be written.
package struct NewEntitlementAction: Sendable {
    package var id: EntitlementActionRecord.ID
    package var app: App.ID
    package var customer: Customer.ID
    package var kind: EntitlementActionRecord.Kind
    package var changes: [EntitlementEffect]
    package var undoes: EntitlementActionRecord.ID?
    package var staff: Staff.ID?
    package var bulkLine: (job: BulkJob.ID, line: Int)?

    package init(
        id: EntitlementActionRecord.ID,
        app: App.ID,
        customer: Customer.ID,
        kind: EntitlementActionRecord.Kind,
        changes: [EntitlementEffect],
        undoes: EntitlementActionRecord.ID? = nil,
        staff: Staff.ID?,
        bulkLine: (job: BulkJob.ID, line: Int)? = nil
    ) {
        self.id = id
        self.app = app
        self.customer = customer
        self.kind = kind
        self.changes = changes
        self.undoes = undoes
        self.staff = staff
        self.bulkLine = bulkLine
    }
}

package struct EntitlementSourceWrites: Sendable {
    let transaction: WriteTransaction

    /// Locks customers of an app with all they hold, in the order of their keys, until the transaction ends.
    ///
    /// - Returns: without those that the app does not have.
    package func lock(_ customers: [Customer.ID], of app: App.ID) async throws -> [Customer.ID: EntitlementSources] {
        let known = try await transaction.lock(
            """
            SELECT id
            FROM customers
            WHERE id = ANY(\(customers.map(\.uuid))) AND app_id = \(app) AND merged_into IS NULL
            ORDER BY id
            FOR NO KEY UPDATE
            """
        ).map { try $0.decode(0, as: Customer.ID.self) }
        guard !known.isEmpty else { return [:] }
        let results = try await transaction.lock(
            [
                """
                SELECT id
                FROM subscriptions
                WHERE customer_id = ANY(\(known.map(\.uuid)))
                ORDER BY id
                FOR NO KEY UPDATE
                """,
                EntitlementSourceRows.subscriptions(of: known),
                EntitlementSourceRows.grants(of: known),
            ],
            after: """
                greatest(
                    (SELECT max(at) FROM entitlement_actions WHERE customer_id = ANY(\(known.map(\.uuid)))),
                    (SELECT max(updated_at) FROM grants WHERE customer_id = ANY(\(known.map(\.uuid)))))
                """
        )
        return try EntitlementSourceRows.entitlementSources(of: known, results[1], results[2])
    }

    /// Reads the entitlement sources of customers without a lock, so that others may change them meanwhile.
    package func read(_ customers: [Customer.ID]) async throws -> [Customer.ID: EntitlementSources] {
        guard !customers.isEmpty else { return [:] }
        let results = try await transaction.pipeline([
            EntitlementSourceRows.subscriptions(of: customers), EntitlementSourceRows.grants(of: customers),
        ])
        return try EntitlementSourceRows.entitlementSources(of: customers, results[0], results[1])
    }

    package func action(_ id: EntitlementActionRecord.ID, of app: App.ID) async throws -> EntitlementActionRecord? {
        try await transaction.query("\(EntitlementActionRecord.selection) WHERE a.id = \(id) AND a.app_id = \(app)")
            .first.map(EntitlementActionRecord.init(row:))
    }

    package func actions(_ ids: [EntitlementActionRecord.ID]) async throws -> [EntitlementActionRecord] {
        try await transaction.query("\(EntitlementActionRecord.selection) WHERE a.id = ANY(\(ids.map(\.uuid)))")
            .map(EntitlementActionRecord.init(row:))
    }

    /// Writes actions of one app with all their effects; what is transferred takes its metrics along.
    package func save(_ actions: [NewEntitlementAction]) async throws {
        guard let app = actions.first?.app else { return }
        let customers = actions.flatMap { [$0.customer] + $0.changes.flatMap(\.owners) }
        try await transaction.periods.noteAccess(of: customers, app: app) { try await write(actions) }
    }

    private func write(_ actions: [NewEntitlementAction]) async throws {
        var statements: [Query] = []
        for action in actions {
            statements += action.changes.map { statement(of: $0, action) }
            statements.append(try insertion(of: action))
        }
        let results = try await transaction.pipeline(statements)
        // Each names the version or state that it found; none may miss its row.
        guard results.allSatisfy({ $0.affectedRows > 0 }) else { throw StaleEntitlementSources() }
        for action in actions {
            for case .transferred(let id, let old, let new, _, _) in action.changes {
                try await transaction.periods.move(id, from: old, to: new, app: action.app)
                try await transaction.credits.follow(id)
            }
        }
    }

    private func insertion(of action: NewEntitlementAction) throws -> Query {
        """
        INSERT INTO entitlement_actions
            (id, app_id, customer_id, kind, changes, undoes, staff_id, bulk_job_id, bulk_line, at)
        VALUES
            (\(action.id), \(action.app), \(action.customer), \(action.kind),
             \(JSONText(try EntitlementEffectJSON.text(of: action.changes))), \(action.undoes), \(action.staff),
             \(action.bulkLine?.job), \(action.bulkLine?.line, as: Int32.self), \(transaction.now))
        """
    }

    private func statement(of change: EntitlementEffect, _ action: NewEntitlementAction) -> Query {
        switch change {
        case .gave(let grant):
            """
            INSERT INTO grants
                (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, subscription_id, version, created_at,
                 updated_at)
            SELECT \(grant.id), \(action.app), \(action.customer), id, \(grant.kind), \(grant.startsAt), \(grant.endsAt),
                \(grant.follows), \(grant.version, as: Int32.self), \(transaction.now), \(transaction.now)
            FROM plans
            WHERE app_id = \(action.app) AND code = \(grant.plan.code)
            """
        case .ended(let id, let moment, let version):
            update(id, "ended_at = \(moment)", to: version)
        case .reopened(let id, _, let version):
            update(id, "ended_at = NULL", to: version)
        case .movedEnd(let id, _, let end, let version):
            update(id, "ends_at = \(end)", to: version)
        case .suspended(let id, let moment):
            """
            INSERT INTO suspensions (id, subscription_id, suspended_at)
            VALUES (\(transaction.newUUID()), \(id), \(moment))
            """
        case .restored(let id, _):
            """
            UPDATE suspensions
            SET lifted_at = \(transaction.now)
            WHERE subscription_id = \(id) AND lifted_at IS NULL
            """
        case .transferred(let id, let old, let new, _, let isOwnerLocked):
            """
            WITH moved AS (
                UPDATE subscriptions
                SET customer_id = \(new), owner_locked = \(isOwnerLocked), version = version + 1, updated_at = \(transaction.now)
                WHERE id = \(id) AND customer_id = \(old)
                RETURNING id
            ), moved_orders AS (
                UPDATE orders
                SET customer_id = \(new), updated_at = \(transaction.now)
                FROM moved
                WHERE subscription_id = moved.id
            ), moved_grants AS (
                UPDATE grants
                SET customer_id = \(new), version = version + 1, updated_at = \(transaction.now)
                FROM moved
                WHERE subscription_id = moved.id
            )
            SELECT id FROM moved
            """
        }
    }

    private func update(_ id: Grant.ID, _ assignment: Query, to version: Int) -> Query {
        """
        UPDATE grants
        SET \(assignment), version = \(version, as: Int32.self), updated_at = \(transaction.now)
        WHERE id = \(id) AND version = \(version - 1, as: Int32.self)
        """
    }
}

extension EntitlementEffect {
    /// The previous and the new owner of a transferred subscription.
    fileprivate var owners: [Customer.ID] {
        switch self {
        case .gave, .ended, .reopened, .movedEnd, .suspended, .restored: []
        case .transferred(_, let old, let new, _, _): [old, new]
        }
    }
}

/// The entitlement sources have changed since they were read, although they were locked.
package struct StaleEntitlementSources: Error {}
