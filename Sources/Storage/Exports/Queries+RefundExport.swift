package import Billing
import Postgres

extension Queries {
    /// Every refund request of a list, in its order, with the state of its payment by the store.
    ///
    /// - Parameter seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func export(_ filter: RefundFilter, app: App.ID, seesPersonalData: Bool) -> ListExport {
        let column =
            switch filter.sort {
            case .deadline: "r.due_at"
            case .requested: "r.requested_at"
            case .amount: "r.worth"
            }
        let word = filter.direction == .descending ? "DESC" : "ASC"
        return ListExport(
            [
                .init("number", .text, "r.number"), .init("order", .text, "o.number"), .init("kind", .text, "r.kind"),
                .init("status", .text, "r.status"),
                .init("requested", .amount, "r.requested_amount"), .init("requested_currency", .text, "r.currency"),
                .init("approved", .amount, "r.approved_amount"), .init("approved_currency", .text, "r.currency"),
                .init("processed", .amount, "r.processed_amount"), .init("processed_currency", .text, "r.currency"),
                .init("payer", .text, "r.payer"), .init("payout_state", .text, "y.state"),
            ] + Self.customerColumns + [
                .init("product", .text, "o.product_name"), .init("store", .text, "o.store"),
                .init("environment", .text, "upper(o.environment)"), .init("transaction_id", .text, "o.transaction_id"),
                .init("category", .text, "r.reason_category"), .init("requested_at", .time, "r.requested_at"),
                .init("decided_at", .time, "r.decided_at"), .init("finished_at", .time, "r.finished_at"),
            ],
            seesPersonalData: seesPersonalData,
            from: """
                FROM refund_requests r
                JOIN orders o ON o.id = r.order_id
                JOIN customers c ON c.id = o.customer_id
                LEFT JOIN refund_payouts y ON y.refund_id = r.id
                WHERE \(conditions(of: filter, app: app, seesPersonalData: seesPersonalData))
                ORDER BY \(unsafe: "\(column) \(word), r.id \(word)")
                """
        )
    }
}
