package import Billing
package import Foundation
import Postgres

extension Queries {
    /// Every order of a list, in its order.
    ///
    /// - Parameter seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func export(_ filter: OrderFilter, app: App.ID, seesPersonalData: Bool) -> ListExport {
        let column = filter.sort == .created ? "o.purchased_at" : "o.worth"
        let order = Query(unsafe: Self.order(column, "o.id", filter.direction))
        return ListExport(
            [
                .init("number", .text, "o.number"), .init("status", .text, "o.status"), .init("kind", .text, "o.kind"),
            ] + Self.customerColumns + [
                .init("product", .text, "o.product_name"), .init("plan", .text, "o.plan_code"),
                .init("amount", .amount, "o.amount"), .init("currency", .text, "o.currency"),
                .init("refunded", .amount, "o.refunded"), .init("refunded_currency", .text, "o.currency"),
                .init("credited", .amount, "o.credited"), .init("credited_currency", .text, "o.currency"),
                .init("store", .text, "o.store"), .init("environment", .text, "upper(o.environment)"),
                .init("transaction_id", .text, "o.transaction_id"),
                .init("original_transaction_id", .text, "o.original_transaction_id"),
                .init("storefront", .text, "o.storefront"), .init("purchased_at", .time, "o.purchased_at"),
                .init("period_starts_at", .time, "o.period_starts_at"),
                .init("period_ends_at", .time, "o.period_ends_at"), .init("refunded_at", .time, "o.refunded_at"),
                .init("superseded_at", .time, "o.superseded_at"),
                .init("quantity", .plain, "o.quantity::text"), .init("refunded_seats", .plain, "o.revoked_seats::text"),
                .init(
                    "refund_is_estimated",
                    .text,
                    "CASE WHEN o.refund_is_estimated THEN 'yes' ELSE 'no' END"
                ),
            ],
            seesPersonalData: seesPersonalData,
            from: """
                FROM orders o
                JOIN customers c ON c.id = o.customer_id
                WHERE \(conditions(of: filter, app: app, seesPersonalData: seesPersonalData))
                ORDER BY \(order)
                """,
            isInIndexOrder: filter.sort == .created && filter.search.isEmpty
        )
    }

    /// Every customer of a list, in its order.
    ///
    /// - Parameters:
    ///   - zone: the app's, in which the filter's days begin and end.
    ///   - seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func export(
        _ filter: CustomerFilter,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) -> ListExport {
        let refunds: Query = """
            CASE WHEN EXISTS (SELECT FROM orders r WHERE r.customer_id = c.id AND r.has_refunds)
                THEN 'yes' ELSE 'no' END
            """
        return ListExport(
            Self.customerColumns + [
                .init("plan_now", .text, StandingColumns.plan), .init("state_now", .text, StandingColumns.state),
                .init("access_ends_at", .time, StandingColumns.end), .init("last_order", .text, "o.number"),
                .init("last_purchase_at", .time, "o.purchased_at"), .init("store", .text, "o.store"),
                .init("has_refunds", .text, refunds), .init("first_seen_at", .time, "c.created_at"),
            ],
            seesPersonalData: seesPersonalData,
            from: """
                FROM customers c
                LEFT JOIN LATERAL (
                    SELECT o.number, o.purchased_at, o.store FROM orders o
                    WHERE o.customer_id = c.id ORDER BY o.purchased_at DESC, o.id DESC LIMIT 1
                ) AS o ON true
                \(StandingColumns(now: reader.now).joins)
                WHERE \(conditions(of: filter, app: app, zone: zone, seesPersonalData: seesPersonalData))
                ORDER BY \(Query(unsafe: Self.order("c.created_at", "c.id", filter.direction)))
                """
        )
    }

    /// Every subscription of a list, in its order.
    ///
    /// - Parameter seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func export(_ filter: SubscriptionFilter, app: App.ID, seesPersonalData: Bool) -> ListExport {
        let column = filter.sort == .started ? Self.start.text : Self.end.text
        let access = AccessNow(alias: "s", now: reader.now)
        let states = Subscription.State.allCases.reduce("CASE" as Query) { cases, state in
            "\(cases) WHEN \(access.isIn(state)) THEN \(unsafe: "'\(state.rawValue)'")"
        }
        let renews: Query = "CASE WHEN s.renews_automatically THEN 'yes' ELSE 'no' END"
        return ListExport(
            [
                .init("id", .id, "s.id"),
                .init("original_transaction_id", .text, "s.original_transaction_id"),
            ] + Self.customerColumns + [
                .init("product", .text, "p.name"), .init("plan", .text, "l.code"),
                .init("state", .text, "\(states) END"), .init("store", .text, "s.store"),
                .init("environment", .text, "upper(s.environment)"), .init("started_at", .time, Self.start),
                .init("period_starts_at", .time, "s.period_starts_at"),
                .init("period_ends_at", .time, "s.period_ends_at"), .init("renews", .text, renews),
                .init("renewal_price", .amount, "s.renewal_price"),
                .init("renewal_currency", .text, "s.renewal_currency"),
                .init("cancelled_at", .time, "s.cancelled_at"), .init("ended_at", .time, "s.ended_at"),
                .init("is_assigned", .text, "CASE WHEN s.is_assigned THEN 'yes' ELSE 'no' END"),
                .init("seats", .plain, "s.seats::text"), .init("refunded_seats", .plain, "s.revoked_seats::text"),
                .init("renewal_seats", .plain, "s.renewal_seats::text"),
                .init(
                    "used_seats",
                    .text,
                    "CASE WHEN s.seat_invitations = 'app' THEN (\(SeatCounts.claimed))::text END"
                ),
            ],
            seesPersonalData: seesPersonalData,
            from: """
                FROM subscriptions s
                JOIN customers c ON c.id = s.customer_id
                LEFT JOIN products p ON p.id = s.product_id
                LEFT JOIN plans l ON l.id = p.plan_id
                WHERE \(conditions(of: filter, app: app, seesPersonalData: seesPersonalData))
                ORDER BY \(Query(unsafe: Self.order(column, "s.id", filter.direction)))
                """
        )
    }

    /// The columns that identify the row's customer.
    static var customerColumns: [ListExport.Column] {
        [
            .init("customer_id", .id, "c.id"), .init("customer_key", .text, "c.key"),
            .init("external_id", .text, "c.external_id"), .init("name", .personal, "c.name"),
            .init("email", .personal, "c.email"),
        ]
    }

    private static func order(_ column: String, _ id: String, _ direction: SortDirection) -> String {
        let word = direction == .descending ? "DESC" : "ASC"
        return "\(column) \(word), \(id) \(word)"
    }
}
