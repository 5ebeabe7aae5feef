extension SchemaTests {
    static let bills = [
        bill("store_has_a_name", ["store": "'A Shop'"]),
        bill("environment_is_known", ["environment": "'xcode'"]),
        bill("state_is_known", ["state": "'lost'"]),
        bill("a_day_ends_after_it_starts", ["ends_at": "now()"]),
        bill("rows_and_failures_are_counted_from_zero", ["failures": "-1"]),
        bill("what_is_fetched_says_when", ["fetched_at": "now()"]),
        bill("what_is_awaited_is_asked_for", ["next_at": "NULL"]),
        bill("what_is_over_is_not_asked_for", ["state": "'missing'"]),
        Breach("daily_bills", "one_bill_per_day", "\(insertion()); \(insertion())"),
        row("kind_is_known", ["kind": "'gift'"]),
        row("amount_is_not_negative", ["amount": "-1"]),
        row("currency_is_iso_4217", ["currency": "'yuan'"]),
        row("only_refunds_have_a_refund_number", ["refund_number": "'R-1'"]),
        Breach("bill_rows", "one_row_per_place", "\(insertion()); \(rowInsertion()); \(rowInsertion())"),
        difference("store_has_a_name", ["store": "'A Shop'"]),
        difference("environment_is_known", ["environment": "'xcode'"]),
        difference("kind_is_known", ["kind": "'odd'", "booked": "1"]),
        difference("currency_is_iso_4217", ["currency": "'yuan'"]),
        difference("each_side_says_what_it_has", ["booked": "100"]),
        difference("each_side_says_what_it_has", ["kind": "'paid_here'"]),
        difference("close_reason_is_known", ["closed_at": "now()", "close_reason": "'bored'"]),
        difference("what_is_closed_says_why", ["closed_at": "now()"]),
        difference("a_note_says_who_and_when", ["note": "'odd'"]),
        difference("a_note_says_who_and_when", ["closed_at": "now()", "close_reason": "'staff'"]),
        Breach(
            "bill_differences",
            "one_difference_of_a_kind",
            "\(insertion()); \(differenceInsertion()); \(differenceInsertion())"
        ),
        reminder("it_reminds_on_a_known_day", days: "2"),
        reminder("it_comes_before_the_end", endsAt: "now()"),
        Breach("expiry_reminders", "one_reminder_per_end_and_day", "\(reminding()); \(reminding())"),
    ]

    private static func bill(_ rule: String, _ changed: [String: String]) -> Breach {
        Breach("daily_bills", rule, insertion(changed))
    }

    private static func row(_ rule: String, _ changed: [String: String]) -> Breach {
        Breach("bill_rows", rule, "\(insertion()); \(rowInsertion(changed))")
    }

    private static func difference(_ rule: String, _ changed: [String: String]) -> Breach {
        Breach("bill_differences", rule, "\(insertion()); \(differenceInsertion(changed))")
    }

    private static func reminder(
        _ rule: String,
        days: String = "7",
        endsAt: String = "now() + interval '1 day'"
    ) -> Breach {
        Breach("expiry_reminders", rule, reminding(days: days, endsAt: endsAt))
    }

    private static func insertion(_ changed: [String: String] = [:]) -> String {
        let columns = [
            "store": "'wechat'", "environment": "'production'", "day": "'2026-01-01'",
            "ends_at": "now() + interval '1 day'",
            "state": "'awaited'", "failures": "0", "fetched_at": "NULL", "next_at": "now()",
        ]
        return inserting("daily_bills", ["id": "gen_random_uuid()", "starts_at": "now()"], columns, changed)
    }

    private static func rowInsertion(_ changed: [String: String] = [:]) -> String {
        let columns = [
            "store": "'wechat'", "environment": "'production'", "kind": "'payment'", "order_number": "'N-1'",
            "transaction_id": "'42'", "refund_number": "NULL", "amount": "100", "currency": "'CNY'", "at": "now()",
        ]
        return inserting("bill_rows", ["bill_id": billID, "place": "1"], columns, changed)
    }

    private static func differenceInsertion(_ changed: [String: String] = [:]) -> String {
        let columns = [
            "store": "'wechat'", "environment": "'production'", "kind": "'paid_there'", "key": "'42'",
            "transaction_id": "'42'",
            "billed": "100", "booked": "NULL", "currency": "'CNY'", "at": "now()", "found_at": "now()",
            "closed_at": "NULL",
            "close_reason": "NULL", "note": "NULL",
        ]
        return inserting("bill_differences", ["id": "gen_random_uuid()", "bill_id": billID], columns, changed)
    }

    private static let billID = "(SELECT min(id::text)::uuid FROM daily_bills)"

    private static func inserting(
        _ table: String,
        _ fixed: [String: String],
        _ columns: [String: String],
        _ changed: [String: String]
    ) -> String {
        let all = columns.merging(fixed) { $1 }.merging(changed) { $1 }.sorted { $0.key < $1.key }
        return """
            INSERT INTO \(table) (app_id, \(all.map(\.key).joined(separator: ", ")))
            SELECT '\(TestShop.app)', \(all.map(\.value).joined(separator: ", "))
            """
    }

    private static func reminding(days: String = "7", endsAt: String = "now() + interval '1 day'") -> String {
        """
        INSERT INTO expiry_reminders (id, app_id, subscription_id, ends_at, days, recorded_at)
        SELECT gen_random_uuid(), '\(TestShop.app)', min(id::text)::uuid, \(endsAt), \(days), now() FROM subscriptions
        """
    }
}
