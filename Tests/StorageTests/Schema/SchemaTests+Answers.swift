extension SchemaTests {
    static let answers = [
        Breach("apps", "consumption_sending_is_known", "UPDATE apps SET consumption_sending = 'never'"),
        Breach("consumption_consents", "source_is_known", consent(source: "'guess'")),
        Breach("consumption_consents", "staff_say_why", consent(source: "'staff'")),
        Breach(
            "consumption_consents",
            "consents_are_never_changed",
            "\(consent()); UPDATE consumption_consents SET is_given = false"
        ),
        Breach("consumption_rules", "rules_are_counted_from_one", rule(position: "0")),
        Breach("consumption_rules", "a_rule_has_a_name", rule(name: "''")),
        Breach("consumption_rules", "refund_preference_is_known", rule(preference: "'MAYBE'")),
        Breach("consumption_rules", "conditions_are_ranges", rule(ages: "3, 2")),
        Breach("consumption_rules", "conditions_are_ranges", rule(ages: "-1, NULL")),
        Breach("consumption_rules", "consumption_percentage_is_a_share", rule(percentage: "100001")),
        Breach("consumption_answers", "state_is_known", answer("'lost', 'DECLINE', NULL, NULL, NULL, NULL")),
        Breach(
            "consumption_answers",
            "refund_preference_is_known",
            answer("'sending', 'MAYBE', NULL, NULL, NULL, NULL")
        ),
        Breach("consumption_answers", "what_is_sent_is_an_answer", answer("'sending', NULL, NULL, NULL, NULL, NULL")),
        Breach(
            "consumption_answers",
            "what_is_withheld_says_why",
            answer("'withheld', NULL, NULL, NULL, NULL, NULL")
        ),
        Breach(
            "consumption_answers",
            "what_is_withheld_says_why",
            answer("'withheld', NULL, 'mood', NULL, NULL, NULL")
        ),
        Breach("consumption_answers", "what_was_sent_says_when", answer("'sent', 'DECLINE', NULL, NULL, NULL, NULL")),
        Breach(
            "consumption_answers",
            "what_was_refused_says_why",
            answer("'refused', 'DECLINE', NULL, NULL, NULL, NULL")
        ),
        Breach(
            "consumption_answers",
            "a_rule_has_position_and_name",
            answer("'sending', 'DECLINE', NULL, NULL, NULL, 1")
        ),
    ]

    private static func consent(source: String = "'app'") -> String {
        """
        INSERT INTO consumption_consents (id, customer_id, is_given, source, recorded_as, recorded_at)
        SELECT gen_random_uuid(), id, true, \(source), 'eve', now() FROM customers LIMIT 1
        """
    }

    private static func rule(
        position: String = "1",
        name: String = "'any'",
        ages: String = "NULL, NULL",
        preference: String = "'DECLINE'",
        percentage: String = "NULL"
    ) -> String {
        """
        INSERT INTO consumption_rules (app_id, position, name, age_from, age_to, refund_preference, consumption_percentage)
        VALUES ('\(TestShop.app)', \(position), \(name), \(ages), \(preference), \(percentage))
        """
    }

    /// - Parameter values: state, preference, reason for withholding, time of sending, error, rule's position.
    private static func answer(_ values: String) -> String {
        """
        INSERT INTO consumption_answers
            (refund_request_id, sample_content, decided_at, state, refund_preference, withheld_because, sent_at, error, rule_position)
        SELECT id, false, now(), \(values) FROM refund_requests LIMIT 1
        """
    }
}
