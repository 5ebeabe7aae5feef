extension SchemaTests {
    static let reports = [
        Breach("reports", "one_report_per_name", "\(report()); \(report())"),
        Breach("reports", "a_report_has_a_short_name", report(name: "'Not so'")),
        Breach("reports", "content_is_known", report(content: "'gossip'")),
        Breach("reports", "grain_is_known", report(grain: "'year'")),
        Breach("reports", "an_hour_is_of_a_day", report(hour: "24")),
        Breach("reports", "a_directory_is_absolute", report(directory: "'reports'")),
    ]

    /// A report in which one thing is wrong.
    private static func report(
        name: String = "'daily'",
        content: String = "'ledger'",
        grain: String = "'day'",
        hour: String = "6",
        directory: String = "'/tmp'"
    ) -> String {
        """
        INSERT INTO reports
            (id, app_id, name, content, grain, hour, directory, has_personal_data, created_at, next_day)
        VALUES (gen_random_uuid(), '\(TestShop.app)', \(name), \(content), \(grain), \(hour), \(directory), false, now(),
            '2026-01-01')
        """
    }
}
