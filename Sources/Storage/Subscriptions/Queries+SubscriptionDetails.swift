package import Billing
import Foundation
import Postgres

extension Queries {
    /// The page of one subscription; nil when the app has none of that id.
    ///
    /// - Parameter seesPersonalData: without it neither name nor e-mail address leaves the database.
    package func subscription(
        id: Subscription.ID,
        app: App.ID,
        seesPersonalData: Bool
    ) async throws -> SubscriptionDetails? {
        let head = try await reader.query(
            """
            \(Self.columns(seesPersonalData: seesPersonalData)), s.trial_ends_at, s.is_family_shared, s.last_signed_at
            FROM subscriptions s
            \(Self.joins)
            WHERE s.id = \(id) AND s.app_id = \(app)
            """
        ).first
        guard var columns = try head?.columns(ListedSubscription.columnCount + 3) else { return nil }
        let held = try OrderDetails.CustomerSubscription(&columns)
        let row = try ListedSubscription(held, &columns)
        let (trialEndsAt, isFamilyShared): (Date?, Bool) = (try columns.next(), try columns.next())
        let lastSignedAt: Date? = try columns.next()
        async let events = events(of: id)
        async let orders = paidPeriods(of: id)
        async let notifications = notifications(of: row, app: app)
        return try await SubscriptionDetails(
            row: row,
            held: held,
            trialEndsAt: trialEndsAt,
            isFamilyShared: isFamilyShared,
            storeProductID: held.subscription.productID,
            lastSignedAt: lastSignedAt,
            events: events,
            orders: orders,
            notifications: notifications
        )
    }

    private func events(of subscription: Subscription.ID) async throws -> [SubscriptionDetails.Event] {
        try await reader.query(
            """
            SELECT source, kind, state_before, state_after, rejection_reason, signed_at, recorded_at, notification_id
            FROM subscription_events
            WHERE subscription_id = \(subscription)
            ORDER BY signed_at DESC, id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map { row in
            let (source, kind, before, after, rejectionReason, signedAt, recordedAt, notification) = try row.decode(
                EventSource.self,
                StoreEvent.Kind.self,
                Subscription.State.self,
                Subscription.State.self,
                String?.self,
                Date.self,
                Date.self,
                UUID?.self
            )
            return SubscriptionDetails.Event(
                source: source,
                kind: kind,
                before: before,
                after: after,
                rejectionReason: rejectionReason,
                signedAt: signedAt,
                recordedAt: recordedAt,
                notification: notification
            )
        }
    }

    func paidPeriods(of subscription: Subscription.ID) async throws -> [OrderDetails.SubscriptionOrder] {
        try await reader.query(
            """
            SELECT number, kind, status, amount, currency, purchased_at, period_starts_at, period_ends_at
            FROM orders
            WHERE subscription_id = \(subscription)
            ORDER BY purchased_at DESC, id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map { row in
            let (number, kind, status, amount, currency, purchasedAt, startsAt, endsAt) = try row.decode(
                String.self,
                LedgerEntry.Kind.self,
                OrderStatus.self,
                Int64?.self,
                Currency?.self,
                Date.self,
                Date.self,
                Date?.self
            )
            return OrderDetails.SubscriptionOrder(
                number: number,
                kind: kind,
                status: status,
                amount: amount,
                currency: currency,
                purchasedAt: purchasedAt,
                periodStartsAt: startsAt,
                periodEndsAt: endsAt
            )
        }
    }

    private func notifications(
        of subscription: ListedSubscription,
        app: App.ID
    ) async throws -> [OrderDetails.Notification] {
        try await notifications(
            ofOriginalTransaction: subscription.originalTransactionID,
            at: subscription.store,
            subscription.environment,
            app: app
        )
    }
}
