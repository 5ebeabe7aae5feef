package import Billing
import Foundation
import Postgres

extension Queries {
    /// A page of a customer's timeline.
    ///
    /// - Parameter seesPersonalData: without it neither payloads nor what staff wrote leave the database.
    package func timeline(
        of customer: Customer.ID,
        _ filter: Timeline.Filter,
        seesPersonalData: Bool
    ) async throws -> ListPage<Timeline.Moment> {
        let union = TimelineUnion(customer: customer, now: reader.now, part: filter.part, position: filter.position)
        let order = KeysetClauses(columns: ("m.at", "m.id"), direction: .descending, position: filter.position) {
            "\($0.date)"
        }.order
        let rows = try await reader.query(
            """
            SELECT m.source, m.at, m.id, CASE m.source WHEN 2 THEN o.created_at ELSE coalesce(e.recorded_at, t.recorded_at, o.created_at, rc.recorded_at) END AS recorded_at,
                e.subscription_id, s.store AS event_store, e.kind AS event_kind, e.state_before, e.state_after,
                e.rejection_reason, p.name AS event_product,
                (e.event -> 'transaction' ->> 'expiresAt')::float8 AS expires_at,
                e.notification_id AS event_notification, e.source = 'clock' AS event_by_clock, CASE WHEN \(seesPersonalData) THEN e.event::text ELSE '' END AS payload,
                o.number AS order_number, coalesce(t.kind, o.kind) AS entry_kind, o.status AS order_status, o.store,
                o.environment, o.product_name, coalesce(t.amount, o.amount) AS amount, o.currency,
                t.status AS entry_status, t.notification_id AS entry_notification, t.failure_reason,
                a.actor, a.role, a.action, a.object_type, a.object_id,
                CASE WHEN \(seesPersonalData) THEN a.before::text END AS before,
                CASE WHEN \(seesPersonalData) THEN a.after::text END AS after,
                CASE WHEN \(seesPersonalData) THEN a.reason END AS reason,
                coalesce(merged.external_id, merged.key) AS merged_key, v.form, v.state AS verification_state, v.problem,
                trial.ends_at AS trial_ends_at, trial_plan.name AS trial_plan, trial.converted_at IS NOT NULL AS trial_converted,
                trial.superseded_at IS NOT NULL AS trial_superseded, x.days AS reminder_days, x.ends_at AS reminder_ends_at,
                xp.name AS reminder_product
            FROM (\(union.page)) AS m
            LEFT JOIN ledger_entries t ON m.source = 3 AND t.id = m.id
            LEFT JOIN orders o ON o.id = CASE m.source WHEN 2 THEN m.id WHEN 3 THEN t.order_id END
            LEFT JOIN subscription_events e ON e.id = CASE m.source WHEN 1 THEN m.id WHEN 2 THEN (
                SELECT told.id FROM subscription_events told
                WHERE \(ChargeEvents.tells("told", of: "o"))
                ORDER BY told.signed_at, told.id
                LIMIT 1) END
            LEFT JOIN subscriptions s ON s.id = e.subscription_id
            LEFT JOIN products p ON p.app_id = s.app_id AND p.store = s.store
                AND p.store_product_id = e.event -> 'transaction' ->> 'productID'
            LEFT JOIN audit_entries a ON m.source = 4 AND a.id = m.id
            LEFT JOIN customers merged ON m.source = 6 AND merged.id = m.id
            LEFT JOIN purchase_verifications v ON m.source = 7 AND v.id = m.id
            LEFT JOIN grants trial ON m.source IN (21, 22) AND trial.id = m.id
            LEFT JOIN plans trial_plan ON trial_plan.id = trial.plan_id
            LEFT JOIN rescinded_consents rc ON m.source = 8 AND rc.id = m.id
            LEFT JOIN expiry_reminders x ON m.source = 23 AND x.id = m.id
            LEFT JOIN subscriptions xs ON xs.id = x.subscription_id
            LEFT JOIN products xp ON xp.id = xs.product_id
            ORDER BY \(order)
            """
        )
        return ListPage(try rows.map(Timeline.Moment.init(row:)), at: filter.position)
    }
}

extension Timeline.Moment {
    fileprivate init(row: Row) throws {
        id = try row.decode("id")
        at = try row.decode("at")
        recordedAt = try row.decode("recorded_at")
        switch TimelineUnion.Source(rawValue: try row.decode("source")) {
        case .event: what = .event(try Timeline.Event(row: row))
        case .charge: what = .charge(try Timeline.Charge(row: row))
        case .movement: what = .movement(try Timeline.Movement(row: row))
        case .staff: what = .staff(try Timeline.Action(row: row))
        case .merger: what = .merger(key: try row.decode("merged_key"))
        case .verification: what = .verification(try Timeline.Verification(row: row))
        case .consentRescinded: what = .consentRescinded
        case .trialStarted: what = .trialStarted(try Timeline.Trial(row: row))
        case .trialEnded: what = .trialEnded(try Timeline.Trial(row: row))
        case .expiryReminder: what = .expiryReminder(try Timeline.Reminder(row: row))
        case .firstSeen, nil: what = .firstSeen
        }
    }
}

extension Timeline.Verification {
    fileprivate init(row: Row) throws {
        self.init(
            form: try row.decode("form"),
            state: try row.decode("verification_state"),
            problem: try row.decode("problem")
        )
    }
}

extension Timeline.Trial {
    fileprivate init(row: Row) throws {
        self.init(
            planName: try row.decode("trial_plan"),
            endsAt: try row.decode("trial_ends_at"),
            isConverted: try row.decode("trial_converted"),
            isSuperseded: try row.decode("trial_superseded")
        )
    }
}

extension Timeline.Reminder {
    fileprivate init(row: Row) throws {
        self.init(
            productName: try row.decode("reminder_product"),
            days: Int(try row.decode("reminder_days", as: Int16.self)),
            endsAt: try row.decode("reminder_ends_at")
        )
    }
}

extension Timeline.Event {
    fileprivate init(row: Row) throws {
        let expires = try row.decode("expires_at", as: Double?.self)
        self.init(
            subscription: try row.decode("subscription_id"),
            store: try row.decode("event_store"),
            kind: try row.decode("event_kind"),
            before: try row.decode("state_before"),
            after: try row.decode("state_after"),
            rejectionReason: try row.decode("rejection_reason"),
            productName: try row.decode("event_product"),
            expiresAt: expires.map { Date(timeIntervalSince1970: $0 / 1_000) },
            notification: try row.decode("event_notification"),
            isByClock: try row.decode("event_by_clock"),
            payload: try row.decode("payload")
        )
    }
}

extension Timeline.Charge {
    fileprivate init(row: Row) throws {
        self.init(
            order: try row.decode("order_number"),
            kind: try row.decode("entry_kind"),
            status: try row.decode("order_status"),
            store: try row.decode("store"),
            environment: try row.decode("environment"),
            productName: try row.decode("product_name"),
            amount: try row.decode("amount"),
            currency: try row.decode("currency")
        )
        if try row.decode("event_kind", as: StoreEvent.Kind?.self) != nil { event = try Timeline.Event(row: row) }
    }
}

extension Timeline.Movement {
    fileprivate init(row: Row) throws {
        self.init(
            order: try row.decode("order_number"),
            kind: try row.decode("entry_kind"),
            status: try row.decode("entry_status"),
            store: try row.decode("store"),
            amount: try row.decode("amount"),
            currency: try row.decode("currency"),
            notification: try row.decode("entry_notification"),
            failureReason: try row.decode("failure_reason")
        )
    }
}

extension Timeline.Action {
    fileprivate init(row: Row) throws {
        self.init(
            actor: try row.decode("actor"),
            role: try row.decode("role"),
            action: try row.decode("action"),
            objectType: try row.decode("object_type"),
            objectID: try row.decode("object_id"),
            before: try row.decode("before"),
            after: try row.decode("after"),
            reason: try row.decode("reason")
        )
    }
}
