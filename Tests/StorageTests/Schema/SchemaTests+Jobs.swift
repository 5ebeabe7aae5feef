extension SchemaTests {
    static let jobs = [
        Breach("jobs", "kind_has_a_name", job(kind: "'Not so'")),
        Breach("jobs", "state_is_known", job(state: "'lost'")),
        Breach("jobs", "there_is_an_attempt", job(maxAttempts: "0")),
        Breach("jobs", "snoozes_are_attempts", job(snoozes: "1")),
        Breach("jobs", "a_lease_has_an_owner_and_an_end", job(worker: "gen_random_uuid()")),
        Breach("jobs", "a_lease_has_an_owner_and_an_end", job(state: "'running'")),
        Breach("jobs", "what_is_finished_says_when", job(state: "'completed'")),
        Breach("jobs", "what_is_finished_says_when", job(finalizedAt: "now()")),
        Breach("jobs", "what_was_discarded_says_why", job(state: "'discarded'", finalizedAt: "now()")),
        Breach("job_attempts", "result_is_known", "\(job()); \(attempt("'odd'"))"),
        Breach(
            "job_attempts",
            "attempts_are_never_changed",
            "\(job()); \(attempt("'retried'")); UPDATE job_attempts SET result = 'completed'"
        ),
        Breach("store_notifications", "there_is_an_attempt", "UPDATE store_notifications SET max_attempts = 0"),
    ]

    /// A job in which one thing is wrong.
    private static func job(
        kind: String = "'report'",
        state: String = "'available'",
        maxAttempts: String = "10",
        snoozes: String = "0",
        worker: String = "NULL",
        finalizedAt: String = "NULL"
    ) -> String {
        """
        INSERT INTO jobs
            (id, app_id, kind, subject_id, state, max_attempts, snoozes, scheduled_at, attempted_by, created_at, finalized_at)
        VALUES (gen_random_uuid(), '\(TestShop.app)', \(kind), '\(TestShop.app)', \(state), \(maxAttempts), \(snoozes), now(),
            \(worker), now(), \(finalizedAt))
        """
    }

    private static func attempt(_ result: String) -> String {
        """
        INSERT INTO job_attempts (job_id, attempt, result, started_at, finished_at)
        SELECT id, 1, \(result), now(), now() FROM jobs
        """
    }
}
