package import Billing
package import Foundation
import Postgres

/// A subscription that ends soon and cannot renew by itself.
package struct EndingSubscription: Sendable, Hashable {
    package var id: Subscription.ID
    package var startsAt: Date?
    package var endsAt: Date
    /// The days before this end on which it was announced already.
    package var reminded: [Int]

    /// The end of a batch.
    package struct Position: Sendable {
        var end: Date
        var id: Subscription.ID
    }
}

extension Database {
    /// The next few subscriptions of an app that end soon, the earliest end first: bought periods, and what a store sells for a time without
    /// a renewal. One whose customer holds as much for longer is none: nothing ends for them.
    ///
    /// - Parameter position: the end of the batch before; nil to begin.
    /// - Returns: nil as position after the last batch.
    package func endingSubscriptions(
        of app: App.ID,
        before end: Date,
        after position: EndingSubscription.Position?,
        limit: Int
    ) async throws -> (batch: [EndingSubscription], next: EndingSubscription.Position?) {
        try await readPrimary { reader in
            let beyond: Query = position.map { " AND (\(Queries.end), s.id) > (\($0.end), \($0.id))" } ?? ""
            let rows = try await reader.query(
                """
                SELECT s.id, s.period_starts_at, s.period_ends_at,
                    ARRAY(SELECT r.days FROM expiry_reminders r WHERE r.subscription_id = s.id AND r.ends_at = s.period_ends_at),
                    \(Self.isHeldLonger)
                FROM subscriptions s
                WHERE s.app_id = \(app) AND \(Self.endsForGood) AND \(Queries.end) > \(reader.now) AND \(Queries.end) <= \(end)\(beyond)
                ORDER BY \(Queries.end), s.id
                LIMIT \(limit)
                """
            )
            var batch: [EndingSubscription] = []
            var next: EndingSubscription.Position?
            for row in rows {
                let (id, startsAt, endsAt, reminded, isHeldLonger) = try row.decode(
                    Subscription.ID.self,
                    Date?.self,
                    Date.self,
                    [Int16].self,
                    Bool.self
                )
                next = EndingSubscription.Position(end: endsAt, id: id)
                guard !isHeldLonger else { continue }
                batch.append(
                    EndingSubscription(id: id, startsAt: startsAt, endsAt: endsAt, reminded: reminded.map { Int($0) })
                )
            }
            return (batch, rows.count < limit ? nil : next)
        }
    }

    /// As the index `subscriptions_that_end_for_good` has it. What was cancelled could renew until then, and a customer may have it renew
    /// again.
    static let endsForGood: Query = "s.state = 'active' AND NOT s.renews_automatically AND s.cancelled_at IS NULL"

    /// The customer has a plan at least as high for longer, or bought it for after this end.
    private static let isHeldLonger: Query = """
        EXISTS (
            SELECT
            FROM subscriptions x
            JOIN products xp ON xp.id = x.product_id
            JOIN plans xl ON xl.id = xp.plan_id
            JOIN products sp ON sp.id = s.product_id
            JOIN plans sl ON sl.id = sp.plan_id
            WHERE x.customer_id = s.customer_id AND x.id <> s.id AND x.environment = s.environment
                AND x.state IN ('trial', 'active', 'grace_period', 'cancelled') AND xl.rank >= sl.rank
                AND coalesce(x.period_ends_at, 'infinity') > s.period_ends_at)
        """
}

extension WriteTransaction {
    /// Writes a reminder, once for an end.
    ///
    /// - Returns: false where it was written before, or the subscription ends at another time by now.
    package func remind(of subscription: EndingSubscription, days: Int, app: App.ID) async throws -> Bool {
        try await query(
            """
            INSERT INTO expiry_reminders (id, app_id, subscription_id, ends_at, days, recorded_at)
            SELECT \(newUUID()), \(app), s.id, s.period_ends_at, \(days, as: Int16.self), \(now)
            FROM subscriptions s
            WHERE s.id = \(subscription.id) AND s.period_ends_at = \(subscription.endsAt) AND \(Database.endsForGood)
            ON CONFLICT ON CONSTRAINT one_reminder_per_end_and_day DO NOTHING
            """
        ).affectedRows == 1
    }
}
