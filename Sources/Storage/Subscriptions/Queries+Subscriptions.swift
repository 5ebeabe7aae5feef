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
    ) async throws -> ListPage<ListedSubscription> {
        async let isCut = isCut(filter, app: app, seesPersonalData: seesPersonalData)
        let conditions = conditions(of: filter, app: app, seesPersonalData: seesPersonalData)
        let page = try await page(of: filter, where: conditions, seesPersonalData: seesPersonalData)
        var list = try await counted(
            page,
            of: CountedList(app: app, filter: .subscriptions(filter.counted, seesPersonalData: seesPersonalData)),
            counts: counts,
            rows: """
                SELECT 1 FROM subscriptions s WHERE \(conditions)
                ORDER BY coalesce(s.started_at, s.created_at) DESC, s.id DESC
                """,
            isSearch: true
        )
        list.isCut = try await isCut
        return list
    }

    func conditions(of filter: SubscriptionFilter, app: App.ID, seesPersonalData: Bool) -> Query {
        ListConditions(now: reader.now, app: app, seesPersonalData: seesPersonalData).of(filter)
    }

    private func page(
        of filter: SubscriptionFilter,
        where conditions: Query,
        seesPersonalData: Bool
    ) async throws -> ListPage<ListedSubscription> {
        let column = filter.sort == .started ? Self.start.text : Self.end.text
        let keyset = KeysetClauses(columns: (column, "s.id"), direction: filter.direction, position: filter.position) {
            "\($0.date)"
        }
        let first = FirstRows.query(
            "SELECT * FROM subscriptions s WHERE \(conditions)\(keyset.condition)",
            as: "s",
            by: keyset.order,
            limit: ListPageSize.fetched,
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
        return ListPage(try rows.map(ListedSubscription.init(row:)), at: filter.position)
    }

    /// As the indexes have them.
    static let start: Query = "coalesce(s.started_at, s.created_at)"
    static let end: Query = "coalesce(s.period_ends_at, '9999-12-31 00:00:00+00')"

    /// The columns that a listed subscription is read from; further columns may follow.
    static func columns(seesPersonalData: Bool) -> Query {
        """
        SELECT \(OrderDetails.CustomerSubscription.columns), s.store, s.environment, s.original_transaction_id,
            product.name, \(start), s.trial_started_at, s.trial_ends_at, s.created_at, s.updated_at,
            s.is_assigned, \(SeatCounts.columns),
            c.id, c.key, c.external_id, CASE WHEN \(seesPersonalData) THEN c.name END,
            CASE WHEN \(seesPersonalData) THEN c.email END
        """
    }

    static let joins: Query = """
        \(OrderDetails.CustomerSubscription.joins)
        JOIN customers c ON c.id = s.customer_id
        """
}

extension ListedSubscription {
    init(row: Postgres.Row) throws {
        var columns = try row.columns(Self.columnCount)
        try self.init(OrderDetails.CustomerSubscription(&columns), &columns)
    }

    static let columnCount = OrderDetails.CustomerSubscription.columnCount + 15 + SeatCounts.columnCount

    /// - Parameter columns: those behind the ones of `held`.
    init(_ held: OrderDetails.CustomerSubscription, _ columns: inout RowColumns) throws {
        self.init(
            id: held.id,
            subscription: held.subscription,
            store: try columns.next(),
            environment: try columns.next(),
            originalTransactionID: try columns.next(),
            productName: try columns.next(),
            planCode: held.plan.code.isEmpty ? nil : held.plan.code,
            startedAt: try columns.next(),
            trialStartedAt: try columns.next(),
            trialEndsAt: try columns.next(),
            createdAt: try columns.next(),
            updatedAt: try columns.next(),
            isAssigned: try columns.next(),
            seats: try SeatCounts(&columns),
            customer: try OrderDetails.Customer(&columns)
        )
    }
}
