package import Billing
import Foundation
import Postgres

extension Queries {
    /// A page of an app's refund requests.
    ///
    /// - Parameter seesPersonalData: without it no customer's name leaves the database or is searched.
    package func refunds(
        _ filter: RefundFilter,
        app: App.ID,
        seesPersonalData: Bool,
        counts: CappedCounts
    ) async throws -> ListPage<ListedRefund> {
        let conditions = conditions(of: filter, app: app, seesPersonalData: seesPersonalData)
        let page = try await page(of: filter, where: conditions, seesPersonalData: seesPersonalData)
        return try await counted(
            page,
            of: CountedList(
                app: app,
                filter: .refunds(
                    status: filter.status,
                    opener: filter.opener,
                    search: filter.search,
                    seesPersonalData: seesPersonalData
                )
            ),
            counts: counts,
            rows: "SELECT 1 FROM refund_requests r JOIN orders o ON o.id = r.order_id WHERE \(conditions)",
            isSearch: !filter.search.isEmpty
        )
    }

    /// The conditions of a list's rows, of `refund_requests r` and `orders o`.
    func conditions(of filter: RefundFilter, app: App.ID, seesPersonalData: Bool) -> Query {
        let status: Query = filter.status.map { " AND r.status = \($0)" } ?? ""
        let opener: Query =
            switch filter.opener {
            case .store: " AND r.opened_by_store"
            case .staff: " AND NOT r.opened_by_store"
            case nil: ""
            }
        return "r.app_id = \(app)\(status)\(opener)\(search(filter, app: app, seesPersonalData: seesPersonalData))"
    }

    /// A request is found by its own number, and by what finds its order.
    private func search(_ filter: RefundFilter, app: App.ID, seesPersonalData: Bool) -> Query {
        guard !filter.search.isEmpty else { return "" }
        let orders = OrderSearch(text: filter.search, app: app, seesPersonalData: seesPersonalData)
        return " AND (r.number = upper(\(filter.search)) OR (true\(orders.condition)))"
    }

    /// One request with its order; nil when the app has none of that number.
    ///
    /// - Parameters:
    ///   - staff: the viewer, who may approve it; nil for a viewer to whom no limits are shown.
    ///   - seesPersonalData: without it no customer's name leaves the database.
    package func refund(
        number: String,
        app: App.ID,
        for staff: Staff.ID? = nil,
        seesPersonalData: Bool
    ) async throws -> RefundDetails? {
        let found = try await reader.query(
            """
            SELECT \(RefundRequest.columns), (SELECT o.number FROM orders o WHERE o.id = r.order_id)
            FROM refund_requests r
            WHERE r.app_id = \(app) AND r.number = \(number)
            """
        )
        guard var columns = try found.first?.columns(RefundRequest.columnCount + 1) else { return nil }
        let request = try RefundRequest(&columns)
        let orderNumber: String = try columns.next()
        guard let order = try await order(number: orderNumber, app: app, seesPersonalData: seesPersonalData) else {
            return nil
        }
        async let around = refunds(of: order, apartFrom: number, app: app)
        async let weight = weight(of: request.refund.requested, on: order.order.id, app: app, by: staff)
        async let history = history(of: number, app: app)
        async let answering = answering(request, of: order, app: app)
        async let payout = reader.payout(of: request.id)
        async let steps = reader.payoutSteps(of: [request.id])
        let refunds = try await around
        var details = try await RefundDetails(
            request: request,
            order: order,
            people: refunds.people,
            refundable: refunds.refundable,
            policy: refunds.policy,
            weight: weight,
            evidence: refunds.evidence,
            history: history,
            answering: answering
        )
        details.storeWeights = try await storeWeights(of: details, app: app, by: staff)
        details.payout = try await payout
        details.payoutSteps = try await steps[request.id] ?? []
        return details
    }

    /// A store that decides for itself is weighed by what it pays back, whatever was asked for.
    private func storeWeights(
        of details: RefundDetails,
        app: App.ID,
        by staff: Staff.ID?
    ) async throws -> [RefundPreference: ApprovalWeight] {
        let order = details.order.order
        guard details.request.isDecided(by: order.store) else { return [:] }
        let payback = StorePayback(details.refundable, at: reader.now)
        var weights: [RefundPreference: ApprovalWeight] = [:]
        for answer in RefundPreference.grants {
            weights[answer] = try await weight(of: payback.weighed(for: answer), on: order.id, app: app, by: staff)
        }
        return weights
    }

    private func answering(
        _ request: RefundRequest,
        of order: OrderDetails,
        app: App.ID
    ) async throws -> RefundDetails.Answering? {
        guard request.consumptionRequest != nil else { return nil }
        async let answer = consumptionAnswer(to: request.id)
        async let policy = consumptionPolicy(of: app)
        async let facts = consumptionFacts(of: request.order)
        async let consent = consumptionConsent(of: order.customer.id)
        async let unanswered = unansweredQuestion(of: .consumptionAnswer, about: request.id.uuid)
        let (rules, known) = try await (policy, facts)
        return try await RefundDetails.Answering(
            answer: answer,
            match: known.flatMap { rules.match($0) },
            facts: known,
            sending: rules.sending,
            consent: consent,
            unanswered: unanswered
        )
    }

    /// The refund part of an order.
    ///
    /// - Parameter number: of a request that is left out of what is held.
    package func refunds(
        of details: OrderDetails,
        apartFrom number: String? = nil,
        app: App.ID
    ) async throws -> OrderRefundDetails {
        let order = details.order
        async let rows = reader.query(
            """
            SELECT \(RefundRequest.columns)
            FROM refund_requests r
            WHERE r.order_id = \(order.id)
            ORDER BY r.requested_at, r.id
            LIMIT \(OrderDetails.listLimit)
            """
        )
        async let policy = refundPolicy(of: app)
        async let evidence = evidence(about: details)
        let requests = try await rows.map(RefundRequest.init(row:))
        let held = requests.filter { $0.number != number && $0.refund.status.isOpen }.reduce(Int64(0)) { sum, request in
            sum.plus((request.refund.approved ?? request.refund.requested).minorUnits)
        }
        var refunds = try await OrderRefundDetails(
            requests: requests,
            people: people(in: requests),
            refundable: order.refundable(holding: held),
            policy: policy,
            evidence: evidence
        )
        refunds.payouts = try await reader.payouts(of: requests.map(\.id))
        refunds.payoutSteps = try await reader.payoutSteps(of: Array(refunds.payouts.keys))
        return refunds
    }

    private func refundPolicy(of app: App.ID) async throws -> RefundPolicy {
        guard let row = try await reader.query(RefundPolicy.query(of: app)).first else {
            throw PostgresError(.decoding, "the app \(app) is not there")
        }
        return try RefundPolicy(row: row)
    }

    private func evidence(about details: OrderDetails) async throws -> RefundDetails.Evidence {
        let (order, since) = (details.order, reader.now.addingTimeInterval(-2 * 365 * 86_400))
        let rows = try await reader.query(
            """
            SELECT o.currency, sum(o.amount - o.refunded - o.credited)::bigint, count(*),
                count(*) FILTER (WHERE o.refunded > 0 AND o.id <> \(order.id) AND o.refunded_at > \(since))
            FROM orders o
            WHERE o.customer_id = \(details.customer.id) AND o.environment = \(order.environment)
                AND (o.status IN ('completed', 'partially_refunded', 'refunded', 'superseded')
                    OR o.amount IS NULL AND o.joined_into IS NULL)
            GROUP BY o.currency
            ORDER BY o.currency
            """
        )
        var evidence = RefundDetails.Evidence(refundsBefore: 0, spent: [], orders: 0)
        for row in rows {
            let (currency, kept, orders, refunds) = try row.decode(Currency?.self, Int64?.self, Int.self, Int.self)
            if let currency, let kept {
                evidence.spent.append(Money(minorUnits: kept, currency: currency))
            } else {
                evidence.ordersWithoutAmount += orders  // safe: counts of rows
            }
            evidence.orders += orders
            evidence.refundsBefore += refunds  // safe: counts of rows
        }
        return evidence
    }

    private func people(in requests: [RefundRequest]) async throws -> [Staff.ID: String] {
        let ids = Set(
            requests.flatMap { [$0.requested.staff, $0.decided?.staff, $0.finished?.staff] }.compactMap { $0 }
        )
        guard !ids.isEmpty else { return [:] }
        return try await reader.query("SELECT id, name FROM staff WHERE id = ANY(\(ids.map(\.uuid)))")
            .reduce(into: [:]) { names, row in
                let (id, name) = try row.decode(Staff.ID.self, String.self)
                names[id] = name
            }
    }

    private func history(of number: String, app: App.ID) async throws -> [RefundDetails.Step] {
        try await reader.query(
            """
            SELECT id, at, actor, action, reason
            FROM audit_entries
            WHERE object_type = 'refund' AND object_id = \(number) AND app_id = \(app) AND action LIKE 'refund.%'
            ORDER BY at DESC, id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map { row in
            let (id, at, actor, action, reason) = try row.decode(
                UUID.self,
                Date.self,
                String.self,
                String.self,
                Personal<String>?.self
            )
            return RefundDetails.Step(id: id, at: at, actor: actor, action: action, reason: reason)
        }
    }

    private func page(
        of filter: RefundFilter,
        where conditions: Query,
        seesPersonalData: Bool
    ) async throws -> ListPage<ListedRefund> {
        let column =
            switch filter.sort {
            case .deadline: "r.due_at"
            case .requested: "r.requested_at"
            case .amount: "r.worth"
            }
        let keyset = KeysetClauses(
            columns: (column, "r.id"),
            direction: filter.direction,
            position: filter.position
        ) { filter.sort == .amount ? "\($0.value)" : "\($0.date)" }
        let query: Query = """
            \(ListedRefund.selection(seesPersonalData: seesPersonalData))
            WHERE \(conditions)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        let rows =
            filter.search.isEmpty
            ? try await reader.query(query) : try await reader.queryPlannedForValues(query)
        return ListPage(try rows.map(ListedRefund.init(row:)), at: filter.position)
    }
}

extension OrderDetails.Order {
    /// As far as a refund is concerned. Of a charge whose amount is not known nothing can be asked for (`pending`).
    fileprivate func refundable(holding held: Int64) -> RefundableOrder {
        let currency = currency ?? .unknown
        return RefundableOrder(
            status: status,
            amount: Money(minorUnits: amount ?? 0, currency: currency),
            refunded: Money(minorUnits: refunded, currency: currency),
            credited: Money(minorUnits: credited, currency: currency),
            carriedIn: Money(minorUnits: carriedIn, currency: currency),
            carriedOut: Money(minorUnits: carriedOut, currency: currency),
            held: Money(minorUnits: held, currency: currency),
            periodStartsAt: periodStartsAt,
            periodEndsAt: periodEndsAt
        )
    }
}

extension ListedRefund {
    /// The columns that `init(row:)` reads, of requests `r` and their orders `o`; conditions follow.
    static func selection(seesPersonalData: Bool) -> Query {
        let person: Query = seesPersonalData ? "coalesce(c.name, c.email)" : "NULL::text"
        return """
            SELECT \(RefundRequest.columns), r.due_at, r.worth, o.number, o.store, o.environment, o.product_name, c.key, \(person),
                (SELECT s.name FROM staff s WHERE s.id = r.requested_by),
                (SELECT y.state FROM refund_payouts y WHERE y.refund_id = r.id),
                (SELECT y.is_requested FROM refund_payouts y WHERE y.refund_id = r.id)
            FROM refund_requests r
            JOIN orders o ON o.id = r.order_id
            JOIN customers c ON c.id = o.customer_id
            """
    }

    init(row: Postgres.Row) throws {
        var columns = try row.columns(RefundRequest.columnCount + 11)
        self.init(
            request: try RefundRequest(&columns),
            dueAt: try columns.next(),
            worth: try columns.next(),
            orderNumber: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            productName: try columns.next(),
            customerKey: try columns.next(),
            customerName: try columns.next(),
            requesterName: try columns.next(),
            payout: try columns.next(),
            isUnasked: try columns.next(Bool?.self) == false
        )
    }
}
