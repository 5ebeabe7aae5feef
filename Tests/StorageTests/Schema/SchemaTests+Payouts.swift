extension SchemaTests {
    static let payouts = [
        payout("number_is_one_that_stores_take", ["number": "'RF-000001'"]),
        payout("store_has_a_name", ["store": "'A Shop'"]),
        payout("state_is_known", ["state": "'lost'"]),
        payout("obstacle_is_known", ["obstacle": "'rain'"]),
        payout("currency_is_iso_4217", ["currency": "'yuan'"]),
        payout("a_part_of_the_payment_is_paid_back", ["amount": "0"]),
        payout("a_part_of_the_payment_is_paid_back", ["amount": "1801"]),
        payout(
            "nothing_was_sent_where_there_is_an_obstacle",
            ["state": "'refused'", "obstacle": "'too_old'", "sent_at": "now()"]
        ),
        payout("what_waits_was_not_sent", ["sent_at": "now()"]),
        payout("what_was_sent_says_when", ["state": "'sent'"]),
        payout("what_was_sent_says_when", ["state": "'unpaid'", "unpaid_since": "now()"]),
        payout("what_is_unpaid_says_since_when", ["state": "'unpaid'", "sent_at": "now()"]),
        payout("what_is_paid_says_when", ["state": "'paid'"]),
        payout("what_is_paid_says_when", ["paid_at": "now()"]),
        payout("nobody_waits_for_what_nobody_asked_for", ["is_requested": "false"]),
        Breach(
            "refund_payouts",
            "one_payout_per_number",
            "\(payoutInsertion()); \(payoutInsertion(["refund_id": "(SELECT max(id::text)::uuid FROM refund_requests)"]))"
        ),
        Breach(
            "refund_payout_steps",
            "steps_are_counted_from_one",
            "\(payoutInsertion()); \(step("0, now(), 'sent'"))"
        ),
        Breach("refund_payout_steps", "state_is_known", "\(payoutInsertion()); \(step("1, now(), 'lost'"))"),
        Breach(
            "refund_payout_steps",
            "steps_are_never_changed",
            "\(payoutInsertion()); \(step("1, now(), 'sent'")); UPDATE refund_payout_steps SET state = 'paid'"
        ),
    ]

    private static func payout(_ rule: String, _ changed: [String: String]) -> Breach {
        Breach("refund_payouts", rule, payoutInsertion(changed))
    }

    /// Inserts a payout of a request with some values changed.
    private static func payoutInsertion(_ changed: [String: String] = [:]) -> String {
        let columns = [
            "refund_id": "(SELECT min(id::text)::uuid FROM refund_requests)", "app_id": "'\(TestShop.app)'",
            "store": "'wechat'", "number": "'NUMBER1234_RF000001'", "order_number": "'NUMBER1234'",
            "transaction_id": "'42'", "amount": "1800", "total": "1800", "currency": "'CNY'", "revokes": "true",
            "is_requested": "true", "state": "'waiting'", "obstacle": "NULL", "created_at": "now()",
            "sent_at": "NULL", "paid_at": "NULL",
        ]
        .merging(changed) { $1 }.sorted { $0.key < $1.key }
        return """
            INSERT INTO refund_payouts (\(columns.map(\.key).joined(separator: ", ")))
            SELECT \(columns.map(\.value).joined(separator: ", "))
            """
    }

    private static func step(_ values: String) -> String {
        "INSERT INTO refund_payout_steps (refund_id, position, at, state) SELECT refund_id, \(values) FROM refund_payouts"
    }
}
