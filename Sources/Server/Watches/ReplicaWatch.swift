import Logging
import Metrics
import ServiceLifecycle
import Storage

/// Watches the replica once a second: reports its age, and logs when pages leave it and come back.
struct ReplicaWatch: Service {
    private static let interval = Duration.seconds(1)

    let database: Database
    let replica: Replica
    let logger: Logger

    func run() async throws {
        let age = Gauge(label: "perennial_replica_age_seconds")
        let isUsed = Gauge(label: "perennial_replica_used")
        try? await cancelWhenGracefulShutdown {
            var problem: String?
            var turns = 0
            while true {
                // After a failover the new primary says that it is one, for its standbys to have it too.
                if turns.isMultiple(of: 10) { try? await database.rememberTimeline() }
                turns += 1
                let status = await replica.look()
                age.record(status.age.map { Double($0.components.seconds) } ?? -1)
                isUsed.record(status.problem == nil ? 1 : 0)
                if turns > 1, (status.problem == nil) != (problem == nil) { say(status) }
                problem = status.problem
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func say(_ status: ReplicaStatus) {
        if let problem = status.problem {
            logger.warning(
                "pages are read from the primary, not from the replica",
                metadata: ["reason": "\(problem)"]
            )
        } else {
            logger.info("pages are read from the replica")
        }
    }
}
