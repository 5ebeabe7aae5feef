package import Billing
import Foundation
import Postgres

extension Queries {
    /// A page of an app's subscriptions.
    ///
    /// - Parameter seesPersonalData: without it neither names nor e-mail addresses leave the database or are searched.
    package func subscriptions(
        _ filter: SubscriptionFilter,
        app: App.ID,
        seesPersonalData: Bool,
        counts: CappedCounts
    ) async throws -> SubscriptionList {
        let conditions = conditions(of: filter, app: app, seesPersonalData: seesPersonalData)
        let page = try await page(of: filter, where: conditions, seesPersonalData: seesPersonalData)
        let total = try await count(
            CountedList(app: app, filter: .subscriptions(filter.counted, seesPersonalData: seesPersonalData)),
            page: page,
            counts: counts,
            rows: """
                SELECT 1 FROM subscriptions s WHERE \(conditions)
                ORDER BY coalesce(s.started_at, s.created_at) DESC, s.id DESC
                """,
            isSearch: true
        )
        return SubscriptionList(
            rows: page.rows,
            total: total,
            rowsBefore: page.rowsBefore,
            hasPrevious: page.hasPrevious,
            hasNext: page.hasNext,
            startsOver: page.startsOver
        )
    }

    func conditions(of filter: SubscriptionFilter, app: App.ID, seesPersonalData: Bool) -> Query {
        ListConditions(now: reader.now, app: app, seesPersonalData: seesPersonalData).of(filter)
    }

    private func page(
        of filter: SubscriptionFilter,
        where conditions: Query,
        seesPersonalData: Bool
    ) async throws -> KeysetPage<SubscriptionList.Row> {
        let column = filter.sort == .started ? Self.start.text : Self.end.text
        let keyset = KeysetClauses(columns: (column, "s.id"), direction: filter.direction, position: filter.position) {
            "\($0.date)"
        }
        let first = FirstRows.query(
            "SELECT * FROM subscriptions s WHERE \(conditions)\(keyset.condition)",
            as: "s",
            by: keyset.order,
            limit: KeysetPageSize.fetched,
            isSearch: !filter.search.isEmpty
        )
        let rows = try await reader.queryPlannedForValues(
            """
            \(Self.columns(seesPersonalData: seesPersonalData))
            FROM (\(first)) AS s
            \(Self.joins)
            ORDER BY \(keyset.order)
            """
        )
        return KeysetPage(try rows.map(SubscriptionList.Row.init(row:)), at: filter.position)
    }

    /// As the indexes have them.
    static let start: Query = "coalesce(s.started_at, s.created_at)"
    static let end: Query = "coalesce(s.period_ends_at, '9999-12-31 00:00:00+00')"

    static func columns(seesPersonalData: Bool) -> Query {
        """
        SELECT s.id, s.state, s.started_at, s.period_starts_at, s.period_ends_at, s.grace_period_ends_at,
            s.renews_automatically, s.renewal_price, s.renewal_currency, s.cancelled_at, s.ended_at,
            coalesce(plan.code, ''), coalesce(plan.rank, 0), product.store_product_id, s.next_store_product_id,
            following.name, s.store, s.environment, s.original_transaction_id, product.name, \(start),
            c.id, c.key, c.external_id, CASE WHEN \(seesPersonalData) THEN c.name END,
            CASE WHEN \(seesPersonalData) THEN c.email END
        """
    }

    static let joins: Query = """
        LEFT JOIN products product ON product.id = s.product_id
        LEFT JOIN plans plan ON plan.id = product.plan_id
        LEFT JOIN products following ON following.app_id = s.app_id AND following.store = s.store
            AND following.store_product_id = s.next_store_product_id
        JOIN customers c ON c.id = s.customer_id
        """
}

extension SubscriptionList.Row {
    init(row: Postgres.Row) throws {
        let held = try OrderDetails.CustomerSubscription(row: row)
        self.init(
            id: held.id,
            subscription: held.subscription,
            store: try row.decode(16),
            environment: try row.decode(17),
            originalTransactionID: try row.decode(18),
            productName: try row.decode(19),
            planCode: held.plan.code.isEmpty ? nil : held.plan.code,
            startedAt: try row.decode(20),
            customer: OrderDetails.Customer(
                id: try row.decode(21),
                key: try row.decode(22),
                externalID: try row.decode(23),
                name: try row.decode(24),
                email: try row.decode(25)
            )
        )
    }
}
