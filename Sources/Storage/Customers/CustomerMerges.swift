package import Billing
import Foundation
import Postgres

extension CustomerWrites {
    /// Merges one customer's record into another's, with everything that belongs to it (`CustomerBelongings`). Its names lead to the
    /// other from now on. The metrics follow; for earlier days they stay as they were known. Of both customers' consents the latest
    /// holds; a consumption request that waited for it is answered.
    ///
    /// The caller decides that the two are one: `BackOffice.mergeAnonymousCustomer` and `PurchaseClaim` do.
    ///
    /// - Parameters:
    ///   - keepsSince: true if it does not make the survivor a customer for longer: a store's placeholder was nobody.
    ///   - gone: the customer whose record ends. If either has been merged into another by now, those two are merged.
    package func merge(
        _ gone: Customer.ID,
        into survivor: Customer.ID,
        of app: App.ID,
        keepsSince: Bool = false
    ) async throws {
        let current = try await lock([gone, survivor], of: app)
        guard let gone = current[gone]?.id, let survivor = current[survivor]?.id, gone != survivor else { return }
        // A transaction that has just written a row of this customer is waited for; one that is about to waits, and finds them merged.
        try await transaction.lock("SELECT FROM customers WHERE id = \(gone) FOR UPDATE")
        _ = try await transaction.entitlementSources.lock([gone, survivor], of: app)
        try await transaction.periods.noteAccess(of: [gone, survivor], app: app) {
            try await supersedeTrials(of: [gone, survivor], keeping: survivor)
            let results = try await transaction.pipeline([
                """
                UPDATE subscriptions
                SET customer_id = \(survivor), version = version + 1, updated_at = \(transaction.now)
                WHERE customer_id = \(gone)
                RETURNING id
                """,
                """
                UPDATE orders SET customer_id = \(survivor), updated_at = \(transaction.now) WHERE customer_id = \(gone)
                """,
                """
                UPDATE grants
                SET customer_id = \(survivor), version = version + 1, updated_at = \(transaction.now)
                WHERE customer_id = \(gone)
                """,
            ])
            for row in results[0] {  // safe: one answer a statement
                let subscription = try row.decode(0, as: Subscription.ID.self)
                try await transaction.periods.move(subscription, from: gone, to: survivor, app: app)
            }
        }
        try await transaction.pipeline(
            CustomerBelongings.moved.map { table in
                "UPDATE \(unsafe: table) SET customer_id = \(survivor) WHERE customer_id = \(gone)"
            }
        )
        try await transaction.seatClaims.merge(gone, into: survivor, of: app)
        try await mergeUsage(of: gone, into: survivor)
        try await end(gone, in: survivor, keepsSince: keepsSince)
        if try await transaction.consents.current(of: survivor)?.isGiven == true {
            try await transaction.consents.answerCases(of: survivor, app: app)
        }
    }

    /// The earlier first day is the one that is kept. A tester stays one.
    ///
    /// - Parameter keepsSince: that the survivor is not known longer by it.
    private func end(_ gone: Customer.ID, in survivor: Customer.ID, keepsSince: Bool) async throws {
        try await transaction.pipeline([
            """
            UPDATE customers AS c
            SET created_at = CASE WHEN \(keepsSince) THEN c.created_at ELSE least(c.created_at, gone.created_at) END,
                tester_since = coalesce(c.tester_since, gone.tester_since)
            FROM customers gone
            WHERE c.id = \(survivor) AND gone.id = \(gone)
                AND (gone.created_at < c.created_at AND NOT \(keepsSince)
                    OR gone.tester_since IS NOT NULL AND c.tester_since IS NULL)
            """,
            """
            UPDATE customers
            SET merged_into = \(survivor), merged_at = coalesce(merged_at, \(transaction.now))
            WHERE id = \(gone) OR merged_into = \(gone)
            """,
            // The later of both.
            """
            INSERT INTO customer_activity AS a (customer_id, last_seen_at, locale, platform, app_version)
            SELECT \(survivor), last_seen_at, locale, platform, app_version
            FROM customer_activity
            WHERE customer_id = \(gone)
            ON CONFLICT (customer_id) DO UPDATE
            SET last_seen_at = excluded.last_seen_at, locale = excluded.locale, platform = excluded.platform,
                app_version = excluded.app_version
            WHERE a.last_seen_at < excluded.last_seen_at
            """,
            "DELETE FROM customer_activity WHERE customer_id = \(gone)",
        ])
    }

    /// Of the trials of two records of one person the one counts that the remaining record has now, else the first that began: who signs in
    /// keeps what they have there, and has no trial again by a device that began another.
    private func supersedeTrials(of customers: [Customer.ID], keeping survivor: Customer.ID) async throws {
        try await transaction.query(
            """
            UPDATE grants g
            SET superseded_at = \(transaction.now),
                ended_at = CASE WHEN g.ended_at IS NULL AND g.ends_at > \(transaction.now) THEN \(transaction.now) ELSE g.ended_at END,
                version = g.version + 1, updated_at = \(transaction.now)
            FROM (
                SELECT id, row_number() OVER (
                        ORDER BY customer_id = \(survivor) AND least(ends_at, ended_at) > \(transaction.now) DESC, starts_at, id
                    ) AS place
                FROM grants
                WHERE customer_id = ANY(\(customers.map(\.uuid))) AND kind = 'trial' AND superseded_at IS NULL
            ) trials
            WHERE g.id = trials.id AND trials.place > 1
            """
        )
    }
}
