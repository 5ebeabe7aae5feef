package import Billing
package import Foundation
import Postgres

/// Refunds that stores wait for our answer about, and can still be answered.
package struct WaitingStoreCases: Sendable, Hashable {
    /// Those that nobody has decided.
    package var count: Int
    package var firstDueAt: Date?
    /// Those, decided or not, about which nothing is sent as things are (`AnswerProspect.blocked`).
    package var lapsing: Int
    package var firstLapsesAt: Date?

    package init(count: Int = 0, firstDueAt: Date? = nil, lapsing: Int = 0, firstLapsesAt: Date? = nil) {
        (self.count, self.firstDueAt) = (count, firstDueAt)
        (self.lapsing, self.firstLapsesAt) = (lapsing, firstLapsesAt)
    }
}

extension MetricsReads {
    /// Refund requests that a store waits for our answer about, the 1,000 most urgent of them.
    ///
    /// - Parameter keyless: the stores that the app's accounts have no key to answer.
    package func waitingStoreCases(app: App.ID, keyless: Set<Store> = []) async throws -> WaitingStoreCases {
        let now = reader.now
        let rows = try await reader.query(
            """
            SELECT r.status, r.refund_preference, r.consumption_requested_at, r.consumption_due_at, o.store, a.state,
                a.withheld_because, a.refund_preference,
                (SELECT c.is_given FROM consumption_consents c
                 WHERE c.customer_id = o.customer_id
                 ORDER BY c.recorded_at DESC, c.id DESC
                 LIMIT 1),
                \(ConsumptionFacts.columns(at: now))
            FROM refund_requests r
            JOIN orders o ON o.id = r.order_id
            JOIN products p ON p.id = o.product_id
            LEFT JOIN consumption_answers a ON a.refund_request_id = r.id
            WHERE r.app_id = \(app) AND r.status IN ('pending', 'approved', 'rejected') AND r.due_at > \(now)
                AND r.consumption_due_at > \(now) AND r.store_declined_at IS NULL AND r.store_refunded_at IS NULL
                AND (r.status = 'pending' OR a.state IS NULL OR a.state IN ('sending', 'withheld'))
            ORDER BY r.consumption_due_at
            LIMIT 1000
            """
        )
        guard !rows.isEmpty else { return WaitingStoreCases() }
        let policy = try ConsumptionPolicy(try await reader.query(ConsumptionPolicy.query(of: app)))
        return try rows.reduce(into: WaitingStoreCases()) { cases, row in
            let (found, dueAt) = try AnswerCircumstances.read(row, policy, keyless: keyless, at: now)
            if found.isPending {
                cases.count += 1  // safe: at most 1,000
                cases.firstDueAt = cases.firstDueAt ?? dueAt
            }
            guard found.circumstances.prospect(at: now).obstacle != nil else { return }
            cases.lapsing += 1  // safe: at most 1,000
            cases.firstLapsesAt = cases.firstLapsesAt ?? dueAt
        }
    }
}

extension AnswerCircumstances {
    fileprivate struct Found {
        var isPending: Bool
        var circumstances: AnswerCircumstances
    }

    fileprivate static func read(
        _ row: Row,
        _ policy: ConsumptionPolicy,
        keyless: Set<Store>,
        at now: Date
    ) throws -> (Found, dueAt: Date) {
        var columns = try row.columns(16)
        let status: Refund.Status = try columns.next()
        let preference: RefundPreference? = try columns.next()
        let (requestedAt, dueAt): (Date, Date) = (try columns.next(), try columns.next())
        let store: Store = try columns.next()
        let (state, withheld): (String?, String?) = (try columns.next(), try columns.next())
        let answered: RefundPreference? = try columns.next()
        let consent: Bool? = try columns.next()
        let facts = try ConsumptionFacts(&columns, at: now)
        let answer: ConsumptionAnswer.State? =
            switch state {
            case "sending": .sending
            case "withheld":
                withheld.flatMap(ConsumptionAnswer.Withholding.init(rawValue:)).map {
                    ConsumptionAnswer.State.withheld($0)
                }
            case "sent": .sent(at: now)
            case "refused": .refused(code: nil, message: "")
            case _: nil
            }
        let circumstances = AnswerCircumstances(
            isAnswerable: true,
            question: RefundRequest.ConsumptionRequest(requestedAt: requestedAt, dueAt: dueAt),
            preference: preference,
            answer: answer.map { Answer(state: $0, preference: answered) },
            isConsented: consent == true,
            needsConsent: store.rules.refundAnswersNeedConsent,
            hasKey: !keyless.contains(store),
            sending: policy.sending,
            match: policy.match(facts),
            facts: facts
        )
        return (Found(isPending: status == .pending, circumstances: circumstances), dueAt)
    }
}
