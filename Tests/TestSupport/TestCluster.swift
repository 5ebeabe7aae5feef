import Foundation
package import Logging
package import Postgres
import Synchronization

/// The PostgreSQL of one test process: made when the first test asks for it, gone when the process is.
package actor TestCluster {
    package static let shared = TestCluster()

    private var starting: Task<Cluster, any Error>?
    private var templates: [[Migrator.Migration]: Task<String, any Error>] = [:]
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

    /// A name that no other database of this process has.
    package func freshName() -> String {
        databasesMade += 1
        return "test_\(databasesMade)"
    }

    /// A database with these migrations applied, made once and then copied for each test.
    package func template(_ migrations: [Migrator.Migration]) async throws -> String {
        if let made = templates[migrations] { return try await made.value }
        let name = "template_\(templates.count + 1)"
        let task = Task {
            let cluster = try await cluster()
            try await cluster.createDatabase(named: name)
            let configuration = PoolConfiguration.patient(cluster.connectionString(database: name))
            try await withPool(configuration) { pool in
                _ = try await Migrator(migrations).run(on: pool, logger: .quiet)
            }
            return name
        }
        templates[migrations] = task
        return try await task.value
    }

    /// In memory if there is enough of it: test databases are many small files.
    package static let parent: String = {
        var status = statvfs()
        let isRoomy = statvfs("/dev/shm", &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) > 4 << 30
        return isRoomy ? "/dev/shm" : "/tmp"
    }()

    private static let prefix = parent + "/perennial-tests-"

    /// What test processes that were killed have left behind; their servers ended with them.
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
    /// Says only what a test should not have caused.
    package static var quiet: Logger {
        var logger = Logger(label: "tests")
        logger.logLevel = .critical
        return logger
    }
}
