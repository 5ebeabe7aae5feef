extension SchemaTests {
    static let usage = [
        Breach("usage_counters", "a_month_is_its_first_day", counter(month: "'2026-03-02'")),
        Breach("usage_counters", "a_day_lies_in_its_month", counter(month: "'2026-04-01'")),
        Breach("usage_counters", "a_day_lies_in_its_month", counter(month: "'2026-02-01'")),
        Breach("usage_counters", "usage_is_not_negative", counter(dayUsed: "-1")),
        Breach("usage_counters", "a_window_uses_no_more_than_the_one_around_it", counter(dayUsed: "3")),
        Breach("usage_counters", "a_window_uses_no_more_than_the_one_around_it", counter(lifetimeUsed: "1")),
        Breach(
            "usage_counters",
            "usage_is_of_who_is_nobody_else",
            """
            UPDATE customers
            SET merged_into = (SELECT x.id FROM customers x WHERE x.key <> 'ada' AND x.merged_into IS NULL LIMIT 1),
                merged_at = now()
            WHERE key = 'ada';
            \(counter())
            """
        ),
        Breach("usage_counters", "an_increase_is_possible", increase("day_increase = 0")),
        Breach("usage_counters", "an_increase_is_possible", increase("month_increase = -1")),
        Breach("usage_counters", "an_increase_is_possible", increase("lifetime_increase = 1000000000001")),
        Breach("usage_counters", "only_an_increase_has_an_end", increase("day_increase_until = now()")),
        Breach("usage_counters", "only_an_increase_has_an_end", increase("month_increase_until = now()")),
        Breach("usage_counters", "only_an_increase_has_an_end", increase("lifetime_increase_until = now()")),
        Breach("usage_days", "usage_is_not_negative", day(used: "-1")),
        Breach("usage_days", "usage_is_not_negative", day(offline: "-1")),
        Breach("usage_reservations", "state_is_known", reservation(state: "'lost'", used: "0", endedAt: "now()")),
        Breach("usage_reservations", "a_reservation_is_of_something", reservation(quantity: "0")),
        Breach("usage_reservations", "a_reservation_expires_after_it_begins", reservation(expiresAt: "now()")),
        Breach(
            "usage_reservations",
            "no_more_is_used_than_was_reserved",
            reservation(state: "'settled'", used: "3", endedAt: "now()")
        ),
        Breach(
            "usage_reservations",
            "only_what_is_settled_was_used",
            reservation(state: "'released'", used: "1", endedAt: "now()")
        ),
        Breach(
            "usage_reservations",
            "what_has_ended_says_when_and_how_much_was_used",
            reservation(state: "'settled'", endedAt: "now()")
        ),
        Breach(
            "usage_reservations",
            "what_has_ended_says_when_and_how_much_was_used",
            reservation(endedAt: "now()")
        ),
    ]

    /// A counter of a feature of its own in which one thing is wrong.
    private static func counter(
        month: String = "'2026-03-01'",
        dayUsed: String = "1",
        lifetimeUsed: String = "4"
    ) -> String {
        """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT \(featureID), id, 'usage', 'Usage', '{}', 1000
        FROM apps
        WHERE slug = 'shop';
        INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
        SELECT id, \(featureID), '2026-03-31', \(dayUsed), \(month), 2, \(lifetimeUsed)
        FROM customers
        WHERE key = 'ada'
        """
    }

    private static func increase(_ change: String) -> String {
        """
        \(counter());
        UPDATE usage_counters SET \(change) WHERE feature_id = \(featureID)
        """
    }

    private static func day(used: String = "1", offline: String = "0") -> String {
        """
        \(counter());
        INSERT INTO usage_days (customer_id, feature_id, day, used, offline)
        SELECT customer_id, feature_id, day, \(used), \(offline)
        FROM usage_counters
        WHERE feature_id = \(featureID)
        """
    }

    /// A reservation of two in which one thing is wrong.
    private static func reservation(
        quantity: String = "2",
        state: String = "'open'",
        used: String = "NULL",
        expiresAt: String = "now() + interval '1 minute'",
        endedAt: String = "NULL"
    ) -> String {
        """
        \(counter());
        INSERT INTO usage_reservations (id, customer_id, feature_id, day, quantity, state, used, reserved_at, expires_at,
            ended_at)
        SELECT gen_random_uuid(), customer_id, feature_id, day, \(quantity), \(state), \(used), now(), \(expiresAt),
            \(endedAt)
        FROM usage_counters
        WHERE feature_id = \(featureID)
        """
    }

    private static let featureID = "'00000000-0000-7000-8000-0000000000f7'"
}
