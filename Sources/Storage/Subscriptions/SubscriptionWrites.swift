package import Billing
package import Foundation
import Postgres

/// A subscription as it is stored, locked: the row, the events it is the fold of, and what was booked from them.
package struct StoredSubscription: Sendable {
    package var id: Subscription.ID
    /// Its oldest name at the store.
    package var originalTransactionID: String
    /// Another subscription has just become part of it, whose events it is not the fold of yet.
    package var hasJoined: Bool
    /// Its current owner, with the key that names them.
    package var customer: Customer.ID
    package var customerKey: String
    /// Staff said whose it is; no event moves it.
    package var isOwnerLocked: Bool
    package var events: [StoredEvent]
    package var orders: [StoredOrder]

    package struct StoredEvent: Sendable {
        package var event: StoreEvent
        package var before: Subscription.State
        package var after: Subscription.State
        package var rejectionReason: String?
    }

    package struct StoredOrder: Sendable {
        package var id: Order.ID
        package var transactionID: String
        /// Other names that lead to it.
        package var otherTransactionIDs: Set<String>
        /// Its owner.
        package var customer: Customer.ID
        package var kind: LedgerEntry.Kind
        package var periodEndsAt: Date?
        package var status: OrderStatus
        package var revokedSeats: Int
        package var isRefundEstimated: Bool
        package var supersededAt: Date?
        package var refundedAt: Date?
        /// Days of paid service before it.
        package var paidDays: Int
        /// Its ledger entries' amounts by reference.
        package var entries: [String: Money]
        /// Refund requests that are open or processed, and those that the store opened and has not decided.
        package var refunds: [RefundRequest]
    }
}

extension WriteTransaction {
    package var subscriptions: SubscriptionWrites { SubscriptionWrites(transaction: self) }
}

/// Opens and saves one subscription with its books.
package struct SubscriptionWrites: Sendable {
    let transaction: WriteTransaction

    /// Locks the subscription that the event is about, making it and its customer on first sight.
    ///
    /// - Returns: nil when the notification that brings it is no longer leased to us.
    package func open(for incoming: IncomingEvent) async throws -> StoredSubscription? {
        let event = incoming.event
        let names = SubscriptionNames(incoming)
        let hasJoined = try await join(names, of: event)
        let identity = names.identity
        let key: Query =
            event.transaction.customerToken.map { "\($0.uuidString.lowercased())" as Query } ?? names.customerKey
        // The customer and the subscription are locked before the notification: whoever applies another event of the
        // subscription may write to this notification too, and would wait for us while we wait for them.
        var statements: [Query] = [
            names.lock(names.oldest, isShared: true),
            """
            INSERT INTO customers AS c (id, app_id, key, app_account_token, created_at, recorded_at)
            SELECT \(transaction.newUUID()), \(incoming.app), \(key), \(event.transaction.customerToken),
                \(event.transaction.purchasedAt), \(transaction.now)
            -- Whom no token names is made only for a subscription that nobody has yet but a store's placeholder.
            WHERE \(event.transaction.customerToken != nil) OR NOT EXISTS (
                SELECT
                FROM customers o
                WHERE o.id = (SELECT customer_id FROM subscriptions WHERE \(identity))
                    AND NOT starts_with(o.key, \(event.store.rawValue + ":")))
            ON CONFLICT (app_id, key) DO UPDATE SET created_at = excluded.created_at
            WHERE excluded.created_at < c.created_at
            """,
            """
            INSERT INTO subscriptions
                (id, app_id, customer_id, store, environment, original_transaction_id, state, created_at, updated_at)
            SELECT \(transaction.newUUID()), app_id, coalesce(merged_into, id), \(event.store), \(event.environment),
                \(names.oldest), 'pending', \(transaction.now), \(transaction.now)
            FROM customers
            WHERE app_id = \(incoming.app) AND key = \(key) AND NOT EXISTS (\(names.alias))
            ON CONFLICT DO NOTHING
            """,
            """
            SELECT id, customer_id, owner_locked, original_transaction_id
            FROM subscriptions
            WHERE \(identity)
            FOR NO KEY UPDATE
            """,
            """
            SELECT event::text, state_before, state_after, rejection_reason
            FROM subscription_events
            WHERE subscription_id = (SELECT id FROM subscriptions WHERE \(identity))
            ORDER BY signed_at, event_id
            """,
            """
            SELECT o.id, o.transaction_id, o.customer_id, o.kind, o.period_ends_at, o.status, o.superseded_at, o.refunded_at, o.currency,
                o.revoked_seats, o.refund_is_estimated,
                coalesce(array_agg(t.reference) FILTER (WHERE t.id IS NOT NULL), '{}'),
                coalesce(array_agg(t.amount) FILTER (WHERE t.id IS NOT NULL), '{}'),
                ARRAY(SELECT a.transaction_id FROM order_aliases a WHERE a.order_id = o.id), o.paid_days
            FROM orders o
            LEFT JOIN ledger_entries t ON t.order_id = o.id
            WHERE o.subscription_id = (SELECT id FROM subscriptions WHERE \(identity)) AND o.joined_into IS NULL
            GROUP BY o.id
            """,
            """
            SELECT \(RefundRequest.columns)
            FROM refund_requests r
            WHERE (r.status IN ('pending', 'approved', 'processed')
                    OR r.opened_by_store AND r.store_declined_at IS NULL AND r.store_refunded_at IS NULL)
                AND r.order_id IN (
                    SELECT id FROM orders WHERE subscription_id = (SELECT id FROM subscriptions WHERE \(identity)))
            FOR NO KEY UPDATE
            """,
            // After the lock: its previous holder may have given the subscription to a customer whom this transaction's
            // earlier statements do not see yet.
            "SELECT key FROM customers WHERE id = (SELECT customer_id FROM subscriptions WHERE \(identity))",
        ]
        if let leased = incoming.notification { statements.append(QueueTable.notifications.check(leased.lease)) }
        let results = Array(try await transaction.lock(statements).dropFirst())
        guard incoming.notification == nil || results[7].count == 1, let row = results[2].first else { return nil }
        let (id, customer, isOwnerLocked, original) = try row.decode(
            Subscription.ID.self,
            Customer.ID.self,
            Bool.self,
            String.self
        )
        try await keep(names, of: id)
        let customerKey = try results[6][0].decode(0, as: String.self)
        let refunds = Dictionary(grouping: try results[5].map(RefundRequest.init(row:)), by: \.order)
        return StoredSubscription(
            id: id,
            originalTransactionID: original,
            hasJoined: hasJoined,
            customer: customer,
            customerKey: customerKey,
            isOwnerLocked: isOwnerLocked,
            events: try results[3].map(storedEvent),
            orders: try results[4].map { try storedOrder($0, refunds) }
        )
    }

    /// The permanent key of a subscription's customer: the app's account token, else the store and its first transaction.
    package func customerKey(of token: UUID?, _ subscription: StoredSubscription, at store: Store) -> String {
        token?.uuidString.lowercased() ?? "\(store.rawValue):\(subscription.originalTransactionID)"
    }

    /// The customer of a subscription's purchases that name a key, or the one to whom they moved since (`PurchaseVerificationWrites.move`).
    ///
    /// - Returns: nil when no event has named that customer yet.
    package func customer(
        keyed key: String,
        of subscription: Subscription.ID,
        _ app: App.ID
    ) async throws -> Customer.ID? {
        try await transaction.query(
            """
            SELECT coalesce(t.merged_into, t.id, c.merged_into, c.id)
            FROM customers c
            LEFT JOIN purchase_moves m ON m.subscription_id = \(subscription) AND m.from_customer_id = c.id
            LEFT JOIN customers t ON t.id = m.to_customer_id
            WHERE c.app_id = \(app) AND c.key = \(key)
            """
        ).first?.decode(0, as: Customer.ID.self)
    }

    /// Ends the record that a store's first message without an account token made, once its subscription has another owner: nobody
    /// but the store had spoken of it, and it has nothing else. One that had ended before leads to the newest owner.
    package func endPlaceholder(
        of subscription: StoredSubscription,
        at store: Store,
        in owner: Customer.ID,
        of app: App.ID
    ) async throws {
        let rows = try await transaction.query(
            """
            SELECT c.id, c.merged_into IS NULL
            FROM customers c
            WHERE c.app_id = \(app) AND c.key IN (\(customerKey(of: nil, subscription, at: store)), \(subscription.customerKey))
                AND starts_with(c.key, \(store.rawValue + ":")) AND c.id <> \(owner)
                AND c.app_account_token IS NULL AND c.external_id IS NULL AND c.identified_at IS NULL AND c.deleted_at IS NULL
                AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id)
                AND NOT EXISTS (SELECT FROM orders o WHERE o.customer_id = c.id)
            ORDER BY c.id
            """
        )
        for row in rows {
            let (placeholder, isLive) = try row.decode(Customer.ID.self, Bool.self)
            if isLive {
                try await transaction.customers.merge(placeholder, into: owner, of: app, keepsSince: true)
            } else {
                try await transaction.query("UPDATE customers SET merged_into = \(owner) WHERE id = \(placeholder)")
            }
        }
    }

    /// Saves the result of the fold and finishes the notification that brought the new event, in one round trip.
    ///
    /// Throws `OrderIsElsewhere` where another subscription has the order of one of its transactions.
    ///
    /// - Parameters:
    ///   - end: the time at which it is finished; for news of the moment, that is later than the transaction's.
    ///   - isNew: true if the event is to be kept; a known one may still be the first to which a later rule applies.
    package func save(
        _ changes: SubscriptionChanges,
        from incoming: IncomingEvent,
        isNew: Bool = true,
        at end: Date
    ) async throws {
        var statements = isNew ? [eventInsert(changes, incoming)] : []
        statements.append(subscriptionUpdate(changes))
        statements += changes.changedSteps.map { stepUpdate($0, changes) }
        if !changes.newOrders.isEmpty {
            statements.append(orderInsert(changes.newOrders.map { orderRow($0, changes, incoming) }))
        }
        // An entry is of its order's currency.
        statements += changes.changedOrders.filter(\.isPricedNow).map(orderPricing)
        statements += changes.newEntries.map { entryInsert($0, changes, incoming) }
        statements += changes.changedOrders.flatMap(orderUpdates)
        statements += changes.newOrders.flatMap { orderAliases($0.id, $0.booked) }
        statements += changes.joinedOrders.flatMap { orderJoining($0, of: incoming.app) }
        if changes.isDisputed { statements.append(dispute(incoming, of: changes.id)) }
        statements += changes.changedRefunds.map { RefundWrites.update($0.after, at: transaction.now) }
        statements += changes.periods.statements(at: transaction.now)
        if let leased = incoming.notification {
            statements.append(
                finish(
                    leased,
                    subscription: changes.id,
                    rejectionReason: changes.newStep.rejectionReason ?? incoming.refusedBeside,
                    at: end
                )
            )
        }
        let orders = changes.newOrders.map(\.id) + changes.changedOrders.map(\.id) + changes.joinedOrders.map(\.id)
        // Last: it reads what the others wrote.
        if !orders.isEmpty { statements.append(OrderCredits.behind("o.id = ANY(\(orders.map(\.uuid)))")) }
        let results: [Rows]
        do {
            results = try await transaction.pipeline(statements)
        } catch let error as PostgresError where error.constraint == "one_order_per_store_transaction" {
            throw OrderIsElsewhere()
        }
        if !orders.isEmpty, let behind = results.last { try await transaction.credits.follow(behind) }
    }

    /// Finishes a notification whose event is known already: nothing else changes.
    ///
    /// - Parameters:
    ///   - rejectionReason: the reason why the event is not accepted; then people are to look at it. nil if it is.
    ///   - end: the time at which it is finished.
    package func finishKnown(
        _ incoming: IncomingEvent,
        subscription: Subscription.ID,
        rejectionReason: TransitionRefused?,
        at end: Date
    ) async throws {
        guard let leased = incoming.notification else { return }
        try await transaction.query(
            finish(
                leased,
                subscription: subscription,
                rejectionReason: rejectionReason ?? incoming.refusedBeside,
                at: end
            )
        )
    }

    private func storedEvent(_ row: Row) throws -> StoredSubscription.StoredEvent {
        let (text, before, after, rejectionReason) = try row.decode(
            String.self,
            Subscription.State.self,
            Subscription.State.self,
            String?.self
        )
        return StoredSubscription.StoredEvent(
            event: try EventJSON.event(from: text),
            before: before,
            after: after,
            rejectionReason: rejectionReason
        )
    }

    private func storedOrder(
        _ row: Row,
        _ refunds: [Order.ID: [RefundRequest]]
    ) throws -> StoredSubscription.StoredOrder {
        let (
            id, transactionID, customer, kind, end, status, supersededAt, refundedAt, currency, revokedSeats,
            isRefundEstimated, references, amounts, others, paidDays
        ) =
            try row.decode(
                Order.ID.self,
                String.self,
                Customer.ID.self,
                LedgerEntry.Kind.self,
                Date?.self,
                OrderStatus.self,
                Date?.self,
                Date?.self,
                Currency?.self,
                Int32.self,
                Bool.self,
                [String].self,
                [Int64].self,
                [String].self,
                Int32.self
            )
        let entries = zip(references, amounts).map { ($0, Money(minorUnits: $1, currency: currency ?? .unknown)) }
        return StoredSubscription.StoredOrder(
            id: id,
            transactionID: transactionID,
            otherTransactionIDs: Set(others),
            customer: customer,
            kind: kind,
            periodEndsAt: end,
            status: status,
            revokedSeats: Int(revokedSeats),
            isRefundEstimated: isRefundEstimated,
            supersededAt: supersededAt,
            refundedAt: refundedAt,
            paidDays: Int(paidDays),
            entries: Dictionary(entries) { first, _ in first },
            refunds: refunds[id] ?? []
        )
    }
}
