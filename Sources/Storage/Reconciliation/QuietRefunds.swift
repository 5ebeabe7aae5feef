package import Billing
import Foundation
import Postgres

extension Database {
    /// Purchases that are asked about for the sake of refunds alone, of a store that tells nobody of some (`StoreRules.keepsRefundsQuiet`):
    /// what was bought once, what is used up, what was paid ahead and what has ended, those longest unheard of first. What runs and renews
    /// is asked about in any case.
    ///
    /// Each is asked about for as long as the store may give something of it back, once a day in the month after its last purchase and
    /// then more and more rarely: as often as a thirtieth of its age passes. Of what has ended the store knows for 60 days.
    package func subscriptionsToAskForRefunds(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        limit: Int
    ) async throws -> [SubscriptionToCheck] {
        try await readPrimary { reader in
            let longAgo = reader.now.addingTimeInterval(-(store.rules.refundLimits.within ?? 365 * 86_400))
            return try await reader.query(
                """
                SELECT s.id, s.original_transaction_id,
                    ARRAY(SELECT o.transaction_id FROM orders o WHERE o.subscription_id = s.id),
                    \(StorePurchase.newestToken)
                FROM subscriptions s
                WHERE s.app_id = \(app) AND s.store = \(store) AND s.environment = \(environment)
                    AND coalesce(s.period_ends_at, '9999-12-31 00:00:00+00') > \(reader.now.addingTimeInterval(-60 * 86_400))
                    AND (s.state IN ('pending', 'expired', 'trial_expired', 'revoked')
                        OR s.state = 'active' AND NOT s.renews_automatically AND s.cancelled_at IS NULL)
                    AND greatest(s.last_signed_at, s.checked_at) < \(reader.roundBefore)
                    AND coalesce(s.unanswered_at, '-infinity') < \(reader.roundBefore)
                    AND EXISTS (
                        SELECT FROM orders o
                        WHERE o.subscription_id = s.id AND o.amount > o.refunded AND o.purchased_at > \(longAgo)
                            AND greatest(s.last_signed_at, s.checked_at)
                                < \(reader.now)::timestamptz - (\(reader.now)::timestamptz - o.purchased_at) / 30)
                ORDER BY greatest(s.last_signed_at, s.checked_at), s.id
                LIMIT \(limit)
                """
            ).map(SubscriptionToCheck.init(row:))
        }
    }
}
