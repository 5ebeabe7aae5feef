extension SchemaTests {
    static let health = [
        Breach("service_metrics_hourly", "measure_is_known", hour(measure: "mood")),
        Breach("service_metrics_hourly", "an_hour_is_whole", hour("2026-11-22 10:00:01+00")),
        Breach("service_metrics_hourly", "what_is_good_is_counted", hour(good: 3)),
        Breach(
            "heartbeats",
            "only_a_worker_sees_a_stall",
            "INSERT INTO heartbeats VALUES (gen_random_uuid(), now(), false, now())"
        ),
    ]

    /// Two answers in an hour, in which one thing is wrong.
    private static func hour(
        _ hour: String = "2026-11-22 10:00+00",
        measure: String = "request",
        good: Int = 2
    ) -> String {
        """
        INSERT INTO service_metrics_hourly (hour, measure, detail, count, good, sum, max, buckets, written_at)
        VALUES ('\(hour)', '\(measure)', 'GET /', 2, \(good), 1, 1, '{2}', now())
        """
    }
}
