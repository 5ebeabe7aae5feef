package import Billing
import Foundation
import Postgres

extension Queries {
    /// The page of one order; nil when the app has none of that number.
    ///
    /// - Parameter seesPersonalData: without it neither name nor e-mail address leaves the database.
    package func order(number: String, app: App.ID, seesPersonalData: Bool) async throws -> OrderDetails? {
        let head = try await reader.query(
            """
            SELECT o.id, o.number, o.kind, o.status, o.store, o.environment, o.transaction_id,
                o.original_transaction_id, o.product_name, p.store_product_id, o.plan_code, o.amount, o.refunded,
                o.credited, o.currency, o.storefront, o.quantity, o.offer_kind, o.offer_id, o.is_trial, o.purchased_at,
                o.period_starts_at, o.period_ends_at, o.superseded_at, o.refunded_at,
                o.revoked_seats, o.refund_is_estimated, credit_in(o.id), credit_out(o.id), o.subscription_id,
                c.id, c.key, c.external_id,
                CASE WHEN \(seesPersonalData) THEN c.name END, CASE WHEN \(seesPersonalData) THEN c.email END,
                \(BasePlan.code(of: "o.app_id"))
            FROM orders o
            JOIN products p ON p.id = o.product_id
            JOIN customers c ON c.id = o.customer_id
            WHERE o.app_id = \(app) AND o.number = \(number)
            """
        ).first
        guard var columns = try head?.columns(36) else { return nil }
        var found = try OrderDetails.Order(&columns)
        (found.otherTransactionIDs, found.joinedInto) = try await names(of: Order.ID(found.id))
        found.storeShare = try await storeShare(of: found, app)
        let order = found
        let subscription: Subscription.ID? = try columns.next()
        let customer = try OrderDetails.Customer(&columns)
        let basePlan: String? = try columns.next()
        async let ledger = ledger(of: order.id)
        async let subscriptionOrders = subscriptionOrders(of: order, subscription: subscription)
        async let notifications = notifications(
            ofOriginalTransaction: order.originalTransactionID,
            at: order.store,
            order.environment,
            app: app
        )
        async let subscriptions = subscriptions(of: customer.id)
        async let entitlementSources = reader.entitlementSources.of([customer.id])
        async let checkout = checkout(
            paying: order.transactionID,
            at: order.store,
            app: app,
            seesPersonalData: seesPersonalData
        )
        var details = try await OrderDetails(
            order: order,
            subscription: subscription,
            customer: customer,
            ledger: ledger,
            subscriptionOrders: subscriptionOrders,
            notifications: notifications,
            subscriptions: subscriptions,
            entitlementSources: entitlementSources[customer.id],
            checkout: checkout
        )
        details.basePlan = basePlan
        return details
    }

    private func storeShare(of order: OrderDetails.Order, _ app: App.ID) async throws -> StoreShare? {
        guard let amount = order.amount, amount > 0 else { return nil }
        async let fees = reader.query(StoreFee.query(of: app))
        let row = try await reader.query(
            "SELECT paid_days, store_terms_of(app_id, store, storefront, purchased_at) FROM orders WHERE id = \(order.id)"
        ).first
        guard let (paidDays, terms) = try row?.decode(Int32.self, Int16.self) else { return nil }
        let fee = try StoreFee.byStore(try await fees)[order.store] ?? StoreFee()
        return StoreShare(fee, under: Int(terms), after: Int(paidDays), at: order.store)
    }

    private func ledger(of order: UUID) async throws -> [OrderDetails.Entry] {
        try await reader.query(
            """
            SELECT kind, status, amount, store_transaction_id, notification_id, failure_reason, occurred_at, recorded_at
            FROM ledger_entries
            WHERE order_id = \(order)
            ORDER BY occurred_at, recorded_at, id
            """
        ).map { row in
            let (kind, status, amount, transaction, notification, reason, occurredAt, recordedAt) = try row.decode(
                LedgerEntry.Kind.self,
                OrderDetails.EntryStatus.self,
                Int64.self,
                String.self,
                UUID?.self,
                String?.self,
                Date.self,
                Date.self
            )
            return OrderDetails.Entry(
                kind: kind,
                status: status,
                amount: amount,
                storeTransactionID: transaction,
                notification: notification,
                failureReason: reason,
                occurredAt: occurredAt,
                recordedAt: recordedAt
            )
        }
    }

    private func subscriptionOrders(
        of order: OrderDetails.Order,
        subscription: Subscription.ID?
    ) async throws -> [OrderDetails.SubscriptionOrder] {
        guard let subscription else { return [OrderDetails.SubscriptionOrder(order)] }
        return try await paidPeriods(of: subscription)
    }

    /// A store's notifications about a subscription, newest first.
    func notifications(
        ofOriginalTransaction original: String,
        at store: Store,
        _ environment: StoreEnvironment,
        app: App.ID
    ) async throws -> [OrderDetails.Notification] {
        try await reader.query(
            """
            SELECT n.id, n.type, n.subtype, n.state, n.signed_at, n.received_at, n.finalized_at, n.last_error, e.rejection_reason
            FROM store_notifications n
            LEFT JOIN subscription_events e ON e.notification_id = n.id
            WHERE n.app_id = \(app) AND n.store = \(store)
                AND n.original_transaction_id = \(original) AND n.environment = \(environment)
            ORDER BY n.signed_at DESC, n.id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map { row in
            let (id, type, subtype, state, signedAt, receivedAt, finishedAt, error, rejectionReason) = try row.decode(
                UUID.self,
                String.self,
                String?.self,
                NotificationState.self,
                Date.self,
                Date.self,
                Date?.self,
                String?.self,
                String?.self
            )
            return OrderDetails.Notification(
                id: id,
                type: type,
                subtype: subtype,
                state: state,
                signedAt: signedAt,
                receivedAt: receivedAt,
                finishedAt: finishedAt,
                lastError: error,
                rejectionReason: rejectionReason
            )
        }
    }

    private func subscriptions(of customer: Customer.ID) async throws -> [OrderDetails.CustomerSubscription] {
        try await reader.query(
            """
            SELECT \(OrderDetails.CustomerSubscription.columns)
            FROM subscriptions s
            \(OrderDetails.CustomerSubscription.joins)
            WHERE s.customer_id = \(customer) AND s.product_id IS NOT NULL
            ORDER BY s.created_at DESC, s.id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map { row in
            var columns = try row.columns(OrderDetails.CustomerSubscription.columnCount)
            return try OrderDetails.CustomerSubscription(&columns)
        }
    }
}
