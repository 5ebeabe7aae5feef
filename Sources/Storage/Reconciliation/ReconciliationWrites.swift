package import Billing
package import Foundation
import Postgres

extension Database {
    package func begin(_ reconciliation: Reconciliation) async throws {
        _ = try await writeAlone(
            """
            INSERT INTO reconciliations (id, app_id, store, environment, trigger, read_from, read_to, started_at)
            VALUES
                (\(reconciliation.id), \(reconciliation.app), \(reconciliation.store), \(reconciliation.environment),
                 \(reconciliation.trigger), \(reconciliation.readFrom), \(reconciliation.readTo),
                 \(reconciliation.startedAt))
            """
        )
    }

    /// Keeps how far one is; also what it came to, when it is finished.
    package func keep(_ reconciliation: Reconciliation) async throws {
        let counts = reconciliation.counts
        _ = try await writeAlone(
            """
            UPDATE reconciliations
            SET read_to = \(reconciliation.readTo), finished_at = \(reconciliation.finishedAt), notifications_read = \(counts.read, as: Int32.self),
                notifications_undelivered = \(counts.undelivered, as: Int32.self),
                notifications_missed = \(counts.missed, as: Int32.self),
                notifications_rejected = \(counts.rejected, as: Int32.self),
                subscriptions_checked = \(counts.checked, as: Int32.self),
                subscriptions_corrected = \(counts.corrected, as: Int32.self),
                subscriptions_unknown = \(counts.unknown, as: Int32.self), problem = \(reconciliation.problem)
            WHERE id = \(reconciliation.id)
            """
        )
    }

    /// Notes that the store was asked about a subscription.
    ///
    /// - Parameter moment: when; what has come since is to be asked for again.
    package func noteChecked(_ subscription: Subscription.ID, at moment: Date) async throws {
        _ = try await writeAlone(
            """
            UPDATE subscriptions
            SET checked_at = \(moment), unanswered_checks = 0, unanswered_at = NULL,
                reread_since = CASE WHEN reread_since > \(moment) THEN reread_since END
            WHERE id = \(subscription)
            """
        )
    }

    /// Notes that the store was asked about a subscription and has not answered.
    package func noteUnanswered(_ subscription: Subscription.ID, at moment: Date) async throws {
        _ = try await writeAlone(
            """
            UPDATE subscriptions
            SET unanswered_checks = least(unanswered_checks + 1, 100), unanswered_at = \(moment)
            WHERE id = \(subscription)
            """
        )
    }

    /// Removes what was over before a moment, and says how many; what they found stays.
    package func forgetReconciliations(before moment: Date) async throws -> Int {
        try await writeAlone("DELETE FROM reconciliations WHERE started_at < \(moment)").affectedRows
    }

    /// The end of the last span for which the store was asked for everything that it sent, and was read to the end.
    package func reconciledUntil(_ app: App.ID, at store: Store, in environment: StoreEnvironment) async throws -> Date?
    {
        try await readPrimary { reader in
            try await reader.query(
                """
                SELECT max(read_to)
                FROM reconciliations
                WHERE app_id = \(app) AND store = \(store) AND environment = \(environment) AND finished_at IS NOT NULL
                """
            ).first?.decode(0, as: Date?.self)
        }
    }

    /// Subscriptions that their store is to be asked about: those that run here and whose end is near or past, of which it has not
    /// spoken since, those longest over first; then all that run and have not been heard of for a day, those longest unheard of first.
    /// Each of the former is asked for once before its end, and any once a day. One that the store has not answered about comes after
    /// those; after the second time it waits for two hours, four, and at last for a day.
    package func subscriptionsToCheck(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        limit: Int
    ) async throws -> [SubscriptionToCheck] {
        try await readPrimary { reader in
            let (now, soon) = (reader.now, reader.now.addingTimeInterval(3_600))
            return try await reader.query(
                """
                SELECT s.id, s.original_transaction_id,
                    ARRAY(
                        SELECT o.transaction_id FROM orders o
                        WHERE o.subscription_id = s.id AND (s.reread_since IS NULL OR o.period_ends_at < s.period_ends_at)
                            -- What began before the last was over is looked at with all before it: its store may call it an upgrade, and
                            -- says so of the other one alone.
                            AND (o.purchased_at < \(now.addingTimeInterval(-259_200)) OR NOT EXISTS (
                                SELECT FROM orders p
                                WHERE p.subscription_id = s.id AND p.purchased_at < o.purchased_at
                                    AND p.period_ends_at > o.purchased_at AND p.superseded_at IS NULL))
                        UNION ALL
                        SELECT a.transaction_id FROM orders o JOIN order_aliases a ON a.order_id = o.id
                        WHERE o.subscription_id = s.id AND (s.reread_since IS NULL OR o.period_ends_at < s.period_ends_at)),
                    \(StorePurchase.newestToken)
                FROM subscriptions s
                WHERE s.app_id = \(app) AND s.store = \(store) AND s.environment = \(environment)
                    -- Also what has ended by the clock alone: its store has told of no end.
                    AND (s.state IN ('trial', 'active', 'grace_period', 'billing_retry', 'cancelled', 'paused')
                        OR s.state IN ('expired', 'trial_expired') AND s.ended_at IS NULL)
                    -- What never renews ends without a word.
                    AND (s.state NOT IN ('active', 'expired') OR s.renews_automatically OR s.cancelled_at IS NOT NULL)
                    AND (s.reread_since IS NOT NULL OR greatest(s.last_signed_at, s.checked_at) < \(reader.roundBefore)
                        OR greatest(s.last_signed_at, s.checked_at) IS NULL
                        OR (greatest(s.last_signed_at, s.checked_at) < greatest(s.period_ends_at, s.grace_period_ends_at)
                            AND greatest(s.period_ends_at, s.grace_period_ends_at) <= \(now)))
                    AND (s.unanswered_checks < 3 OR s.unanswered_at
                        + least(interval '1 hour' * 2 ^ least(s.unanswered_checks - 2, 5), interval '24 hours') <= \(now))
                ORDER BY s.unanswered_checks, coalesce(greatest(s.period_ends_at, s.grace_period_ends_at) > \(soon), true),
                    CASE WHEN greatest(s.period_ends_at, s.grace_period_ends_at) <= \(soon)
                        THEN greatest(s.period_ends_at, s.grace_period_ends_at)
                        ELSE greatest(s.last_signed_at, s.checked_at) END NULLS FIRST, s.id
                LIMIT \(limit)
                """
            ).map(SubscriptionToCheck.init(row:))
        }
    }
}

/// A subscription that its store is to be asked for.
package struct SubscriptionToCheck: Sendable, Hashable {
    package var id: Subscription.ID
    package var originalTransactionID: String
    /// The transactions that have an order here, and about which nothing more is to be asked.
    package var transactions: Set<String>
    /// By which its store knows its newest purchase (`StoreEvent.purchaseToken`); nil where no event has one.
    package var purchaseToken: String?
}

extension SubscriptionToCheck {
    init(row: Row) throws {
        let (id, original, known, token) = try row.decode(
            Subscription.ID.self,
            String.self,
            [String].self,
            String?.self
        )
        self.init(id: id, originalTransactionID: original, transactions: Set(known), purchaseToken: token)
    }
}

extension JobWrites {
    /// Has something done once more from now on, unless it waits or runs; a dead letter becomes this one.
    package func enqueueUnlessThere(_ kind: Job.Kind, for subject: UUID, of app: App.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO jobs AS j (id, app_id, kind, subject_id, state, scheduled_at, created_at)
            VALUES (\(transaction.newUUID()), \(app), \(kind.rawValue), \(subject), 'available', now(), \(transaction.now))
            ON CONFLICT (kind, subject_id) WHERE state IN ('available', 'running', 'discarded') DO UPDATE
            SET state = 'available', scheduled_at = EXCLUDED.scheduled_at, attempt = 0, snoozes = 0, attempted_by = NULL,
                lease_ends_at = NULL, last_error = NULL, finalized_at = NULL
            WHERE j.state = 'discarded'
            """
        )
    }
}
