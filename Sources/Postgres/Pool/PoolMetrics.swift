import Metrics

/// The pool's metrics, for a collector.
struct PoolMetrics {
    private let waitTime: Metrics.Timer
    private let queryTime: Metrics.Timer
    private let gauges: [(gauge: Gauge, value: @Sendable (PoolStatistics) -> Int)]
    private let pool: String

    init(pool: String) {
        self.pool = pool
        waitTime = Metrics.Timer(label: "postgres_wait_seconds", dimensions: [("pool", pool)])
        queryTime = Metrics.Timer(label: "postgres_query_seconds", dimensions: [("pool", pool)])
        func connections(_ state: String) -> Gauge {
            Gauge(label: "postgres_connections", dimensions: [("pool", pool), ("state", state)])
        }
        func queue(_ kind: String) -> Gauge {
            Gauge(label: "postgres_queue_length", dimensions: [("pool", pool), ("kind", kind)])
        }
        gauges = [
            (connections("shared"), \.sharedOpen), (connections("idle"), \.exclusiveIdle),
            (connections("lent"), \.exclusiveLent), (connections("connecting"), \.connecting),
            (queue("queries"), \.queuedQueries), (queue("leases"), \.queuedLeases),
        ]
    }

    func waited(_ duration: Duration) {
        waitTime.recordNanoseconds(duration.nanoseconds)
    }

    func queried(_ duration: Duration) {
        queryTime.recordNanoseconds(duration.nanoseconds)
    }

    func failed(_ error: PostgresError) {
        let kind = error.sqlState.map { "sqlstate_\($0.sqlClass.rawValue)" } ?? "\(error.code)"
        Counter(label: "postgres_errors_total", dimensions: [("pool", pool), ("class", kind)]).increment()
    }

    func report(_ statistics: PoolStatistics) {
        for (gauge, value) in gauges { gauge.record(value(statistics)) }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
