import Billing
import Foundation
import Postgres

/// The statements that save a subscription.
extension SubscriptionWrites {
    /// The event of a notification is there already, with its row, and is not sent once more.
    func eventInsert(_ changes: SubscriptionChanges, _ incoming: IncomingEvent) -> Query {
        let event = incoming.event
        let from: Query =
            if let leased = incoming.message, incoming.isCompleted || incoming.notification == nil {
                """
                (SELECT id, \(event.signedAt)::timestamptz, \(EventJSON.text(of: event))::jsonb FROM store_notifications WHERE id = \(leased.id))
                """
            } else if let leased = incoming.notification {
                "(SELECT id, \(event.signedAt)::timestamptz, event FROM store_notifications WHERE id = \(leased.id))"
            } else {
                "(SELECT NULL::uuid, \(event.signedAt)::timestamptz, \(EventJSON.text(of: event))::jsonb)"
            }
        return """
            INSERT INTO subscription_events
                (id, subscription_id, source, notification_id, event_id, kind, signed_at, event, state_before,
                 state_after, rejection_reason, recorded_at, reconciliation_id)
            SELECT \(transaction.newUUID()), \(changes.id), \(incoming.origin.source), n.id, \(event.id), \(event.kind),
                n.signed_at, n.event, \(changes.newStep.before), \(changes.newStep.after),
                \(changes.newStep.rejectionReason?.message), \(transaction.now), \(incoming.reconciliation)
            FROM \(from) AS n(id, signed_at, event)
            """
    }

    /// An earlier event comes out otherwise; its notification follows when it is taken now, or no longer.
    func stepUpdate(_ step: SubscriptionHistory.Step, _ changes: SubscriptionChanges) -> Query {
        """
        WITH changed AS (
            UPDATE subscription_events
            SET state_before = \(step.before), state_after = \(step.after), rejection_reason = \(step.rejectionReason?.message)
            WHERE subscription_id = \(changes.id) AND event_id = \(step.eventID)
            RETURNING notification_id, rejection_reason
        )
        UPDATE store_notifications n
        SET state = CASE WHEN changed.rejection_reason IS NULL THEN 'processed' ELSE 'failed' END, last_error = changed.rejection_reason
        FROM changed
        WHERE n.id = changed.notification_id AND n.state IN ('processed', 'failed')
        """
    }

    func subscriptionUpdate(_ changes: SubscriptionChanges) -> Query {
        let subscription = changes.subscription
        return """
            UPDATE subscriptions
            SET customer_id = \(changes.customer), state = \(subscription.state), product_id = \(changes.product),
                transaction_id = \(subscription.transactionID), started_at = \(subscription.startedAt),
                period_starts_at = \(subscription.periodStartsAt), period_ends_at = \(subscription.periodEndsAt),
                access_starts_at = \(subscription.accessStartsAt),
                grace_period_ends_at = \(subscription.gracePeriodEndsAt),
                renews_automatically = \(subscription.renewsAutomatically),
                next_store_product_id = \(subscription.nextProductID),
                trial_started_at = \(subscription.trialStartedAt), trial_ends_at = \(subscription.trialEndsAt),
                cancelled_at = \(subscription.cancelledAt), ended_at = \(subscription.endedAt),
                end_reason = \(subscription.endReason), is_family_shared = \(subscription.isFamilyShared),
                is_assigned = \(subscription.isAssigned), seats = \(subscription.seats?.bought, as: Int32.self),
                revoked_seats = \(subscription.seats?.revoked, as: Int32.self),
                renewal_seats = \(subscription.seats?.next, as: Int32.self),
                seat_invitations = \(subscription.seats?.invitations?.rawValue),
                reread_since = CASE WHEN \(changes.needsRereading) THEN \(transaction.now) ELSE reread_since END,
                \(subscription.renewalAssignments),
                app_transaction_id = \(subscription.appTransactionID), last_signed_at = \(subscription.lastSignedAt), version = version + 1, updated_at = \(transaction.now)
            WHERE id = \(changes.id)
            """
    }

    /// - Parameter rows: of `orderRow`; at least one.
    func orderInsert(_ rows: [Query]) -> Query {
        """
        INSERT INTO orders
            (id, app_id, customer_id, subscription_id, product_id, number, kind, status, store, environment,
             transaction_id, original_transaction_id, product_name, plan_code, amount, refunded, credited, currency,
             storefront, quantity, revoked_seats, refund_is_estimated, offer_kind, offer_id, is_trial, purchased_at,
             period_starts_at, period_ends_at, refunded_at, superseded_at, paid_days, created_at, updated_at)
        VALUES
            \(Query.list(rows))
        """
    }

    func orderRow(
        _ order: SubscriptionChanges.NewOrder,
        _ changes: SubscriptionChanges,
        _ incoming: IncomingEvent
    ) -> Query {
        let booked = order.booked
        return """
            (\(order.id), \(incoming.app), \(order.customer), \(changes.id), \(order.product.id),
             \(order.number), \(booked.kind), \(booked.status), \(incoming.event.store), \(incoming.event.environment),
             \(booked.transactionID), \(changes.originalTransactionID), \(order.product.name),
             \(order.product.plan.code), \(booked.isPriced ? booked.amount.minorUnits : nil), \(booked.refunded.minorUnits),
             \(booked.credited.minorUnits), \(booked.isPriced ? booked.amount.currency.code : nil), \(booked.storefront), \(booked.quantity),
             \(booked.revokedSeats, as: Int32.self), \(booked.isRefundEstimated), \(booked.offer?.kind),
             \(booked.offer?.identifier), \(booked.offer?.isFreeTrial ?? false), \(booked.purchasedAt),
             \(booked.periodStartsAt), \(booked.periodEndsAt), \(booked.refundedAt), \(booked.supersession?.at),
             \(booked.paidDays, as: Int32.self), \(transaction.now), \(transaction.now))
            """
    }

    /// The amount charged, once the store has said it.
    func orderPricing(_ order: SubscriptionChanges.ChangedOrder) -> Query {
        """
        UPDATE orders
        SET amount = \(order.booked.amount.minorUnits), currency = \(order.booked.amount.currency.code),
            is_trial = \(order.booked.offer?.isFreeTrial ?? false)
        WHERE id = \(order.id) AND amount IS NULL
        """
    }

    func orderUpdates(_ order: SubscriptionChanges.ChangedOrder) -> [Query] {
        let update: Query = """
            UPDATE orders
            SET customer_id = \(order.customer), kind = \(order.booked.kind), status = \(order.booked.status),
                refunded = \(order.booked.refunded.minorUnits), refunded_at = \(order.booked.refundedAt),
                revoked_seats = \(order.booked.revokedSeats, as: Int32.self), refund_is_estimated = \(order.booked.isRefundEstimated),
                credited = \(order.booked.credited.minorUnits), superseded_at = \(order.booked.supersession?.at),
                period_starts_at = \(order.booked.periodStartsAt),
                period_ends_at = \(order.booked.periodEndsAt), transaction_id = \(order.booked.transactionID),
                paid_days = \(order.booked.paidDays, as: Int32.self), updated_at = \(transaction.now)
            WHERE id = \(order.id)
            """
        let others = orderAliases(order.id, order.booked)
        guard order.isRelabelled else { return [update] + others }
        return [update] + others + [
            """
            UPDATE ledger_entries
            SET kind = \(order.booked.kind)
            WHERE order_id = \(order.id) AND reference = 'charge'
            """
        ]
    }

    func entryInsert(
        _ new: SubscriptionChanges.NewEntry,
        _ changes: SubscriptionChanges,
        _ incoming: IncomingEvent
    ) -> Query {
        """
        INSERT INTO ledger_entries
            (id, app_id, order_id, kind, status, amount, currency, store, environment, store_transaction_id,
             reference, notification_id, occurred_at, recorded_at)
        VALUES
            (\(transaction.newUUID()), \(incoming.app), \(new.order), \(new.entry.kind), 'success',
             \(new.entry.amount.minorUnits), \(new.entry.amount.currency.code), \(incoming.event.store),
             \(incoming.event.environment), \(new.transactionID), \(new.entry.reference),
             (SELECT notification_id FROM subscription_events
              WHERE subscription_id = \(changes.id) AND event_id = \(new.entry.eventID)),
             \(new.entry.occurredAt), \(transaction.now))
        """
    }

    /// - Parameter rejectionReason: why its event is not taken, if it is not; then people are to look at it.
    func finish(
        _ leased: LeasedNotification,
        subscription: Subscription.ID,
        rejectionReason: TransitionRefused?,
        at end: Date
    ) -> Query {
        QueueTable.notifications.finish(
            leased.lease,
            as: rejectionReason == nil ? "'processed'" : "'failed'",
            because: rejectionReason?.message,
            at: end,
            setting: ", subscription_id = \(subscription)"
        )
    }
}

extension BookedOrder {
    /// The time of the last refund that still stands; nil when there is none.
    var refundedAt: Date? {
        guard isPriced else { return takenBackAt }
        guard refunded.minorUnits > 0 else { return nil }
        return entries.last { $0.kind == .refund || $0.kind == .revoke }?.occurredAt
    }
}
