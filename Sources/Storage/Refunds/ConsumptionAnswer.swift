package import Billing
package import Foundation
import Postgres

/// The answer to a store's consumption request, and its state.
package struct ConsumptionAnswer: Sendable, Hashable {
    package var state: State
    /// nil where the app's rules know none.
    package var preference: RefundPreference?
    /// The rule behind it; nil where staff decided.
    package var rule: Rule?
    /// In thousandths of a percent.
    package var percentage: Int?
    package var providesSamples: Bool
    package var decidedAt: Date

    /// Enough for the day that a store waits at most; what comes later is not sent.
    package static let maxAttempts = 200

    package init(
        state: State,
        preference: RefundPreference?,
        rule: Rule?,
        percentage: Int? = nil,
        providesSamples: Bool,
        decidedAt: Date
    ) {
        self.state = state
        self.preference = preference
        self.rule = rule
        self.percentage = percentage
        self.providesSamples = providesSamples
        self.decidedAt = decidedAt
    }

    package struct Rule: Sendable, Hashable {
        /// From 1.
        package var position: Int
        package var name: String

        package init(position: Int, name: String) {
            (self.position, self.name) = (position, name)
        }
    }

    package enum State: Sendable, Hashable {
        /// On its way: a worker sends it, again and again until the store takes or refuses it.
        case sending
        case sent(at: Date)
        case refused(code: Int64?, message: String)
        case withheld(Withholding)
    }

    /// The reason why nothing is sent. The database keeps the raw values.
    package enum Withholding: String, Sendable, CaseIterable {
        /// Nobody decided, and no rule of the app's holds.
        case noRule = "no_rule"
        /// The customer did not consent.
        case noConsent = "no_consent"
        /// The share that was consumed is not known, and the answer needs it.
        case noPercentage = "no_percentage"
        /// The store's deadline has passed.
        case tooLate = "too_late"
        /// The app's account lacks the key for the store.
        case noKey = "no_key"
    }
}

/// A case with all that an answer to its store depends on, locked.
package struct CaseToAnswer: Sendable {
    package var order: LockedOrder
    package var request: RefundRequest
    package var facts: ConsumptionFacts
    package var policy: ConsumptionPolicy
    package var consent: ConsumptionConsent?
    /// The earlier answer, decided or sent.
    package var answer: ConsumptionAnswer?
    /// By which the store knows its question; nil where it has no such thing.
    package var reviewToken: String?
}

extension RefundWrites {
    /// The case of a job, with its order locked; nil where there is none.
    package func lockCase(_ id: Refund.ID) async throws -> CaseToAnswer? {
        let rows = try await transaction.query("SELECT app_id, order_id FROM refund_requests WHERE id = \(id)")
        guard let (app, orderID) = try rows.first?.decode(App.ID.self, Order.ID.self),
            let order = try await lock(orderID),
            let request = order.requests.first(where: { $0.id == id })
        else { return nil }
        let facts = try await transaction.query(ConsumptionFacts.query(of: orderID, at: transaction.now))
        let answer = try await transaction.query(ConsumptionAnswer.query(of: id))
        guard let row = facts.first else { return nil }
        return CaseToAnswer(
            order: order,
            request: request,
            facts: try ConsumptionFacts(row: row, at: transaction.now),
            policy: try await consumptionPolicy(of: app),
            consent: try await transaction.consents.current(of: order.customer),
            answer: try answer.first.map(ConsumptionAnswer.init(row:)),
            reviewToken: try await reviewToken(of: orderID)
        )
    }

    /// That of the newest question about an order.
    private func reviewToken(of order: Order.ID) async throws -> String? {
        try await transaction.query(
            """
            SELECT e.event ->> 'reviewToken'
            FROM orders o
            JOIN subscription_events e ON e.subscription_id = o.subscription_id
            WHERE o.id = \(order) AND e.kind = \(StoreEvent.Kind.refundRequested)
                AND (e.event -> 'transaction' ->> 'id' = o.transaction_id OR EXISTS (
                    SELECT FROM order_aliases a
                    WHERE a.order_id = o.id AND a.transaction_id = e.event -> 'transaction' ->> 'id'))
            ORDER BY e.signed_at DESC, e.event_id DESC
            LIMIT 1
            """
        ).first?.decode(0, as: String?.self)
    }

    package func save(_ answer: ConsumptionAnswer, to request: Refund.ID) async throws {
        let state = answer.state.columns
        try await transaction.query(
            """
            INSERT INTO consumption_answers
                (refund_request_id, state, refund_preference, rule_position, rule_name, consumption_percentage, sample_content,
                 decided_at, withheld_because, sent_at, error_code, error)
            VALUES
                (\(request), \(state.name), \(answer.preference), \(answer.rule.map { Int16(clamping: $0.position) }),
                 \(answer.rule?.name), \(answer.percentage.map { Int32(clamping: $0) }), \(answer.providesSamples),
                 \(answer.decidedAt), \(state.withheld?.rawValue), \(state.sentAt), \(state.code), \(state.message))
            ON CONFLICT (refund_request_id) DO UPDATE
            SET state = excluded.state, refund_preference = excluded.refund_preference, rule_position = excluded.rule_position,
                rule_name = excluded.rule_name, consumption_percentage = excluded.consumption_percentage,
                sample_content = excluded.sample_content, decided_at = excluded.decided_at,
                withheld_because = excluded.withheld_because, sent_at = excluded.sent_at, error_code = excluded.error_code,
                error = excluded.error
            """
        )
    }
}

extension Queries {
    func consumptionAnswer(to request: Refund.ID) async throws -> ConsumptionAnswer? {
        try await reader.query(ConsumptionAnswer.query(of: request)).first.map(ConsumptionAnswer.init(row:))
    }

    func consumptionFacts(of order: Order.ID) async throws -> ConsumptionFacts? {
        try await reader.query(ConsumptionFacts.query(of: order, at: reader.now)).first.map {
            try ConsumptionFacts(row: $0, at: reader.now)
        }
    }
}

extension ConsumptionFacts {
    /// The columns that `init(_:at:)` reads, of orders `o` and their products `p`.
    static func columns(at now: Date) -> Query {
        """
        o.plan_code, o.purchased_at, o.period_starts_at, o.period_ends_at, o.status = \(OrderStatus.superseded.rawValue),
            p.period_count IS NOT NULL,
            (SELECT count(*) FROM (
                SELECT FROM orders other
                WHERE other.customer_id = o.customer_id AND other.environment = o.environment AND other.id <> o.id
                    AND other.has_refunds AND other.refunded > 0
                    AND other.refunded_at > \(now.addingTimeInterval(-2 * 365 * 86_400))
                LIMIT 1000) AS refunded)
        """
    }

    static func query(of order: Order.ID, at now: Date) -> Query {
        """
        SELECT \(columns(at: now))
        FROM orders o
        JOIN products p ON p.id = o.product_id
        WHERE o.id = \(order)
        """
    }

    init(row: Row, at now: Date) throws {
        var columns = try row.columns(7)
        try self.init(&columns, at: now)
    }

    init(_ columns: inout RowColumns, at now: Date) throws {
        let plan: String = try columns.next()
        let (purchasedAt, start): (Date, Date) = (try columns.next(), try columns.next())
        let end: Date? = try columns.next()
        let (isSuperseded, isRenewing): (Bool, Bool) = (try columns.next(), try columns.next())
        let refunds: Int = try columns.next()
        self.init(
            plan: plan,
            purchasedAt: purchasedAt,
            refunds: refunds,
            from: start,
            to: end,
            isSuperseded: isSuperseded,
            isRenewing: isRenewing,
            at: now
        )
    }
}

extension ConsumptionAnswer.State {
    fileprivate struct Columns {
        var name: String
        var withheld: ConsumptionAnswer.Withholding?
        var sentAt: Date?
        var code: Int64?
        var message: String?
    }

    fileprivate var columns: Columns {
        switch self {
        case .sending: Columns(name: "sending")
        case .sent(let date): Columns(name: "sent", sentAt: date)
        case .refused(let code, let message): Columns(name: "refused", code: code, message: message)
        case .withheld(let reason): Columns(name: "withheld", withheld: reason)
        }
    }
}

extension ConsumptionAnswer {
    static func query(of request: Refund.ID) -> Query {
        """
        SELECT state, refund_preference, rule_position, rule_name, consumption_percentage, sample_content, decided_at,
            withheld_because, sent_at, error_code, error
        FROM consumption_answers
        WHERE refund_request_id = \(request)
        """
    }

    init(row: Row) throws {
        var columns = try row.columns(11)
        let name: String = try columns.next()
        let preference: RefundPreference? = try columns.next()
        let (position, rule): (Int16?, String?) = (try columns.next(), try columns.next())
        let percentage: Int32? = try columns.next()
        let samples: Bool = try columns.next()
        let decidedAt: Date = try columns.next()
        let withheld: String? = try columns.next()
        let sentAt: Date? = try columns.next()
        let (code, message): (Int64?, String?) = (try columns.next(), try columns.next())
        let state: State
        switch (name, sentAt, withheld.flatMap(Withholding.init(rawValue:))) {
        case ("sending", _, _): state = .sending
        case ("sent", let sentAt?, _): state = .sent(at: sentAt)
        case ("refused", _, _): state = .refused(code: code, message: message ?? "")
        case ("withheld", _, let reason?): state = .withheld(reason)
        case _: throw PostgresError(.decoding, "an answer to a store is \(name)")
        }
        self.init(
            state: state,
            preference: preference,
            rule: position.flatMap { position in rule.map { Rule(position: Int(position), name: $0) } },
            percentage: percentage.map { Int($0) },
            providesSamples: samples,
            decidedAt: decidedAt
        )
    }
}
