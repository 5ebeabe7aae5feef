import Foundation
import Logging
import Synchronization

extension Cluster {
    func startOwn(_ place: ClusterPlace, account: ClusterAccount?) async throws {
        let tools = try await onThread { try ClusterTools.find() }
        if !FileManager.default.fileExists(atPath: place.data + "/PG_VERSION") {
            try await create(place, tools, account)
        }
        try await endPredecessor(place)
        let postmaster = Postmaster(
            command: Command(
                path: tools.path(of: "postgres"),
                arguments: arguments(place),
                account: account,
                endsWithUs: "INT"
            ),
            log: place.log,
            logger: logger
        )
        state.withLock { $0.postmaster = postmaster }
        logger.info("starting the database cluster in \(place.root)")
        postmaster.start()
        do {
            try await waitUntilReady(postmaster)
        } catch {
            try? await postmaster.stop()
            throw error
        }
    }

    /// Under another name first: a first start that is killed leaves no half-made cluster behind.
    private func create(_ place: ClusterPlace, _ tools: ClusterTools, _ account: ClusterAccount?) async throws {
        logger.notice("creating the database cluster in \(place.root) (once, a few seconds)")
        let unfinished = place.data + ".unfinished"
        try? FileManager.default.removeItem(atPath: unfinished)
        let command = Command(
            path: tools.path(of: "initdb"),
            arguments: [
                "-D", unfinished, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--data-checksums",
                "--auth=trust", "--no-instructions",
            ] + (settings["fsync"] == "off" ? ["--no-sync"] : []),
            account: account
        )
        _ = try await command.run()
        try FileManager.default.moveItem(atPath: unfinished, toPath: place.data)
    }

    /// A server that outlived a killed program of ours is stopped. It may be ending already (the kernel told it that we
    /// died), so one that is gone before our signal is as good as one that obeyed it.
    private func endPredecessor(_ place: ClusterPlace) async throws {
        guard let processID = predecessor(place) else { return }
        logger.notice("stopping a database server that was left running", metadata: ["pid": "\(processID)"])
        kill(processID, SIGINT)
        let deadline = ContinuousClock.now + .seconds(60)
        while predecessor(place) == processID {
            guard .now < deadline else {
                throw PostgresError(.cluster, "the database server with the process id \(processID) does not stop")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The process that the pid file names, when it runs on this cluster. The file of one that does not is in nobody's
    /// way, unless its number now belongs to a stranger.
    private func predecessor(_ place: ClusterPlace) -> Int32? {
        let file = place.data + "/postmaster.pid"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let processID = text.split(separator: "\n").first.flatMap({ Int32($0) }), kill(processID, 0) == 0
        else { return nil }
        if let workingDirectory = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/cwd"),
            workingDirectory != place.data
        {
            try? FileManager.default.removeItem(atPath: file)
            return nil
        }
        return processID
    }

    private func arguments(_ place: ClusterPlace) -> [String] {
        var all = [
            "listen_addresses": "", "unix_socket_directories": place.socketDirectory, "unix_socket_permissions": "0700",
            "port": "5432", "log_destination": "stderr", "logging_collector": "off", "cluster_name": "perennial",
            // A new installation grows from nothing to thousands of rows in seconds; statements are planned for what was there.
            "autovacuum_naptime": "5s",
        ]
        all.merge(settings) { _, ours in ours }
        return ["-D", place.data] + all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
    }

    /// Recovery after a crash may take its time; we wait for as long as the server lives.
    func waitUntilReady(_ postmaster: Postmaster?) async throws {
        let startedAt = ContinuousClock.now
        var reportAt = startedAt + .seconds(5)
        while true {
            do {
                return try await execute("SELECT 1", database: "postgres")
            } catch {
                let waited = startedAt.duration(to: .now)
                if let postmaster, postmaster.starts > 8 {
                    throw PostgresError(
                        .cluster,
                        "the database server does not start: \(postmaster.lastWords)",
                        underlying: error
                    )
                }
                if postmaster == nil, waited > .seconds(60) {
                    throw PostgresError(
                        .cluster,
                        "another process runs the cluster, but it does not answer",
                        underlying: error
                    )
                }
                if reportAt <= .now {
                    logger.info("still waiting for the database server", metadata: ["reason": "\(error)"])
                    reportAt = .now + .seconds(5)
                }
                try await Task.sleep(for: .milliseconds(waited < .seconds(2) ? 20 : 200))
            }
        }
    }

    /// The lock of whoever runs the cluster; nil when somebody else does. The kernel frees it however we end.
    func takeLock(_ place: ClusterPlace) throws -> FileHandle? {
        let descriptor = open(place.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PostgresError(.cluster, "cannot open \(place.lock): \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? handle : nil
    }
}
