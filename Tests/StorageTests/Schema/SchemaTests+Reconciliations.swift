extension SchemaTests {
    static let reconciliations = [
        Breach("reconciliations", "environment_is_known", reconciliation(environment: "'xcode'")),
        Breach("reconciliations", "store_has_a_name", reconciliation(store: "'A Store'")),
        Breach("reconciliations", "trigger_is_known", reconciliation(trigger: "'whim'")),
        Breach("reconciliations", "it_reads_forward", reconciliation(readTo: "now() - interval '1 day'")),
        Breach("reconciliations", "it_finishes_after_it_starts", reconciliation(finished: "now() - interval '1 day'")),
        Breach(
            "subscription_events",
            "a_reconciliation_is_named_only_where_it_is_the_source",
            """
            \(reconciliation());
            UPDATE subscription_events SET reconciliation_id = (SELECT id FROM reconciliations)
            """
        ),
    ]

    /// A reconciliation in which one thing is wrong.
    private static func reconciliation(
        environment: String = "'production'",
        store: String = "'apple'",
        trigger: String = "'schedule'",
        readTo: String = "now()",
        finished: String = "now()"
    ) -> String {
        """
        INSERT INTO reconciliations (id, app_id, store, environment, trigger, read_from, read_to, started_at, finished_at)
        VALUES (gen_random_uuid(), '\(TestShop.app)', \(store), \(environment), \(trigger), now(), \(readTo), now(), \(finished))
        """
    }
}
