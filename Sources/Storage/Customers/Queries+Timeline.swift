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
    ) async throws -> Timeline {
        let union = TimelineUnion(customer: customer, part: filter.part, position: filter.position)
        let order = KeysetClauses(columns: ("m.at", "m.id"), direction: .descending, position: filter.position) {
            "\($0.date)"
        }.order
        let rows = try await reader.query(
            """
            SELECT m.source, m.at, m.id, coalesce(e.recorded_at, t.recorded_at, o.created_at),
                e.subscription_id, s.store, e.kind, e.state_before, e.state_after, e.rejection_reason, p.name,
                (e.event -> 'transaction' ->> 'expiresAt')::float8, e.notification_id,
                CASE WHEN \(seesPersonalData) THEN e.event::text ELSE '' END,
                o.number, coalesce(t.kind, o.kind), o.status, o.store, o.environment, o.product_name,
                coalesce(t.amount, o.amount), o.currency, t.status, t.notification_id, t.failure_reason,
                a.actor, a.role, a.action, a.object_type, a.object_id,
                CASE WHEN \(seesPersonalData) THEN a.before::text END,
                CASE WHEN \(seesPersonalData) THEN a.after::text END, CASE WHEN \(seesPersonalData) THEN a.reason END
            FROM (\(union.page)) AS m
            LEFT JOIN subscription_events e ON m.source = 1 AND e.id = m.id
            LEFT JOIN subscriptions s ON s.id = e.subscription_id
            LEFT JOIN products p ON p.app_id = s.app_id AND p.store = s.store
                AND p.store_product_id = e.event -> 'transaction' ->> 'productID'
            LEFT JOIN ledger_entries t ON m.source = 3 AND t.id = m.id
            LEFT JOIN orders o ON o.id = CASE m.source WHEN 2 THEN m.id WHEN 3 THEN t.order_id END
            LEFT JOIN audit_entries a ON m.source = 4 AND a.id = m.id
            ORDER BY \(order)
            """
        )
        let page = KeysetPage(try rows.map(Timeline.Moment.init(row:)), at: filter.position)
        return Timeline(
            moments: page.rows,
            hasNewer: page.hasPrevious,
            hasOlder: page.hasNext,
            rowsBefore: page.rowsBefore,
            startsOver: page.startsOver
        )
    }
}

extension Timeline.Moment {
    fileprivate init(row: Row) throws {
        id = try row.decode(2)
        at = try row.decode(1)
        recordedAt = try row.decode(3)
        switch TimelineUnion.Source(rawValue: try row.decode(0)) {
        case .event: what = .event(try Timeline.Event(row: row))
        case .charge: what = .charge(try Timeline.Charge(row: row))
        case .movement: what = .movement(try Timeline.Movement(row: row))
        case .staff: what = .staff(try Timeline.Action(row: row))
        case .firstSeen, nil: what = .firstSeen
        }
    }
}

extension Timeline.Event {
    fileprivate init(row: Row) throws {
        let expires = try row.decode(11, as: Double?.self)
        self.init(
            subscription: try row.decode(4),
            store: try row.decode(5),
            kind: try row.decode(6),
            before: try row.decode(7),
            after: try row.decode(8),
            rejectionReason: try row.decode(9),
            productName: try row.decode(10),
            expiresAt: expires.map { Date(timeIntervalSince1970: $0 / 1_000) },
            notification: try row.decode(12),
            payload: try row.decode(13)
        )
    }
}

extension Timeline.Charge {
    fileprivate init(row: Row) throws {
        self.init(
            order: try row.decode(14),
            kind: try row.decode(15),
            status: try row.decode(16),
            store: try row.decode(17),
            environment: try row.decode(18),
            productName: try row.decode(19),
            amount: try row.decode(20),
            currency: try row.decode(21)
        )
    }
}

extension Timeline.Movement {
    fileprivate init(row: Row) throws {
        self.init(
            order: try row.decode(14),
            kind: try row.decode(15),
            status: try row.decode(22),
            store: try row.decode(17),
            amount: try row.decode(20),
            currency: try row.decode(21),
            notification: try row.decode(23),
            failureReason: try row.decode(24)
        )
    }
}

extension Timeline.Action {
    fileprivate init(row: Row) throws {
        self.init(
            actor: try row.decode(25),
            role: try row.decode(26),
            action: try row.decode(27),
            objectType: try row.decode(28),
            objectID: try row.decode(29),
            before: try row.decode(30),
            after: try row.decode(31),
            reason: try row.decode(32)
        )
    }
}
