import Foundation
package import Logging
package import Postgres
import Synchronization

/// The PostgreSQL of one test process: made when the first test asks for it, and removed at the process's end.
package actor TestCluster {
    package static let shared = TestCluster()

    private var starting: Task<Cluster, any Error>?
    private var templates: [DatabaseTemplate: Task<(name: String, rows: StandingRows), any Error>] = [:]
    private var databasesMade = 0

    /// The running cluster.
    package func cluster() async throws -> Cluster {
        if let starting { return try await starting.value }
        let task = Task {
            Self.removeLeftovers()
            let directory = Self.prefix + "\(ProcessInfo.processInfo.processIdentifier)"
            let cluster = Cluster(
                directory: directory,
                settings: [
                    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "400",
                    "shared_buffers": "128MB",
                    // Queries in a database that it has analyzed are planned otherwise than in a new one, so it cannot be lent
                    // again.
                    "autovacuum": "off",
                ],
                logger: .quiet
            )
            try await cluster.start()
            Remains.remember(cluster, directory)
            return cluster
        }
        starting = task
        return try await task.value
    }

    /// Returns a name that no other database of this process has.
    package func freshName() -> String {
        databasesMade += 1
        return "test_\(databasesMade)"
    }

    /// Returns the template's database, made once and then copied, and its rows.
    func template(_ template: DatabaseTemplate) async throws -> (name: String, rows: StandingRows) {
        if let made = templates[template] { return try await made.value }
        let name = "template_\(templates.count + 1)"
        let task = Task { (name: name, rows: try await make(template, named: name)) }
        templates[template] = task
        return try await task.value
    }

    private func make(_ template: DatabaseTemplate, named name: String) async throws -> StandingRows {
        let cluster = try await cluster()
        let schema: String? =
            if template.fill != nil { try await self.template(DatabaseTemplate(template.migrations)).name } else { nil }
        try await cluster.createDatabase(named: name, template: schema)
        return try await withPool(PoolConfiguration.patient(cluster.connectionString(database: name))) { pool in
            if let fill = template.fill {
                try await fill(pool)
            } else {
                _ = try await Migrator(template.migrations).run(on: pool, logger: .quiet)
            }
            return try await StandingRows(in: pool)
        }
    }

    /// The directory of test clusters; in memory if there is enough of it, for test databases are many small files.
    package static let parent: String = {
        var status = statvfs()
        let isRoomy = statvfs("/dev/shm", &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) > 4 << 30
        return isRoomy ? "/dev/shm" : "/tmp"
    }()

    private static let prefix = parent + "/perennial-tests-"

    /// Removes the clusters of test processes that were killed; their servers ended with them.
    private static func removeLeftovers() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            let path = parent + "/" + name
            guard path.hasPrefix(prefix), let processID = Int32(path.dropFirst(prefix.count).prefix { $0 != "." })
            else { continue }
            if kill(processID, 0) != 0 { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}

/// Removes the cluster when the test process ends.
private enum Remains {
    private static let kept = Mutex<(processID: Int32, directory: String)?>(nil)

    static func remember(_ cluster: Cluster, _ directory: String) {
        guard let processID = cluster.processID else { return }
        kept.withLock { $0 = (processID, directory) }
        atexit { Remains.remove() }
    }

    private static func remove() {
        guard let (processID, directory) = kept.withLock({ $0 }) else { return }
        // Immediate shutdown: nobody needs this data again.
        kill(processID, SIGQUIT)
        for _ in 0..<400 where kill(processID, 0) == 0 { usleep(2500) }
        // Renamed first, so that the server is not started again while its files go.
        rename(directory, directory + ".over")
        try? FileManager.default.removeItem(atPath: directory + ".over")
    }
}

extension Logger {
    /// A logger that writes only critical entries, which no test should cause.
    package static var quiet: Logger {
        var logger = Logger(label: "tests")
        logger.logLevel = .critical
        return logger
    }
}
