extension SchemaTests {
    static let refunds = [
        Breach("apps", "self_approval_limit_is_not_negative", "UPDATE apps SET refund_self_approval_limit = -1"),
        Breach("apps", "typed_confirmation_starts_at_nothing_or_more", "UPDATE apps SET typed_confirmation_from = -1"),
        Breach(
            "apps",
            "refund_requests_expire_within_ten_years",
            "UPDATE apps SET refund_request_expires_after_days = 0"
        ),
        Breach("refund_requests", "one_request_per_number", "UPDATE refund_requests SET number = 'RF-000001'"),
        Breach("refund_requests", "number_is_rf_and_six_digits_or_more", "UPDATE refund_requests SET number = 'RF-1'"),
        Breach(
            "refund_requests",
            "requests_are_in_the_order_s_currency",
            "UPDATE refund_requests SET currency = 'EUR'"
        ),
        Breach("refund_requests", "kind_is_known", "UPDATE refund_requests SET kind = 'half'"),
        Breach("refund_requests", "status_is_known", "UPDATE refund_requests SET status = 'odd', \(ended)"),
        Breach("refund_requests", "requested_is_more_than_nothing", "UPDATE refund_requests SET requested_amount = 0"),
        Breach(
            "refund_requests",
            "approved_is_never_above_requested",
            "UPDATE refund_requests SET \(decided), status = 'approved', approved_amount = 901 WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "approved_is_never_above_requested",
            "UPDATE refund_requests SET \(decided), status = 'approved', approved_amount = 0 WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "processed_is_more_than_nothing",
            "UPDATE refund_requests SET \(decided), \(ended), approved_amount = 900, status = 'processed', processed_amount = 0, payer = 'store'"
        ),
        Breach(
            "refund_requests",
            "only_what_was_approved_is_paid_back",
            "UPDATE refund_requests SET payback_amount = 900 WHERE number = 'RF-000001'"
        ),
        Breach("refund_requests", "a_request_says_why", "UPDATE refund_requests SET reason = ''"),
        Breach(
            "refund_requests",
            "a_decision_says_who_and_when",
            "UPDATE refund_requests SET status = 'approved', approved_amount = 900, decided_at = now() WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "a_decision_says_who_and_when",
            "UPDATE refund_requests SET status = 'rejected', \(ended)"
        ),
        Breach("refund_requests", "a_decision_says_who_and_when", "UPDATE refund_requests SET \(decided)"),
        Breach(
            "refund_requests",
            "what_is_approved_has_an_amount",
            "UPDATE refund_requests SET \(decided), status = 'approved' WHERE number = 'RF-000001'"
        ),
        Breach(
            "refund_requests",
            "approved_by_another_person_unless_allowed",
            "UPDATE refund_requests SET \(approved), decided_by = requested_by WHERE number = 'RF-000001'"
        ),
        Breach("refund_requests", "an_end_says_who_and_when", "UPDATE refund_requests SET status = 'cancelled'"),
        Breach("refund_requests", "an_end_says_who_and_when", "UPDATE refund_requests SET finished_at = now()"),
        Breach(
            "refund_requests",
            "what_is_processed_says_how_much_and_by_whom_paid",
            "UPDATE refund_requests SET \(decided), \(ended), approved_amount = 900, status = 'processed', processed_amount = 900"
        ),
        Breach(
            "refund_requests",
            "payer_is_known",
            "UPDATE refund_requests SET \(decided), \(ended), approved_amount = 900, status = 'processed', processed_amount = 900, payer = 'me'"
        ),
        Breach(
            "refund_requests",
            "refund_preference_is_known",
            "UPDATE refund_requests SET refund_preference = 'MAYBE'"
        ),
        Breach(
            "refund_requests",
            "consumption_is_due_after_its_request",
            "UPDATE refund_requests SET consumption_due_at = now()"
        ),
        Breach(
            "refund_requests",
            "approved_is_never_above_what_is_left",
            """
            UPDATE refund_requests
            SET \(decided), status = 'approved', approved_amount = 1000, requested_amount = 1000
            """
        ),
        Breach(
            "refund_requests",
            "consumption_is_last_requested_after_its_first",
            """
            UPDATE refund_requests SET consumption_requested_at = now(), consumption_due_at = now() + interval '12 hours',
                consumption_last_requested_at = now() - interval '1 hour'
            """
        ),
        Breach(
            "refund_requests",
            "consumption_reason_is_known",
            "UPDATE refund_requests SET \(consumption), consumption_reason = 'BORED'"
        ),
        Breach(
            "refund_requests",
            "a_consumption_reason_is_of_a_consumption_request",
            "UPDATE refund_requests SET consumption_reason = 'OTHER'"
        ),
        Breach(
            "refund_requests",
            "what_a_store_opened_has_no_requester",
            "UPDATE refund_requests SET opened_by_store = true"
        ),
        Breach("refund_requests", "requests_are_never_removed", "DELETE FROM refund_requests"),
    ]

    private static let consumption =
        "consumption_requested_at = now(), consumption_last_requested_at = now(), consumption_due_at = now() + interval '12 hours'"
    private static let decided = "decided_as = 'eve', decided_at = now()"
    private static let approved = decided + ", status = 'approved', approved_amount = 900"
    private static let ended = "finished_as = 'eve', finished_at = now()"
}
