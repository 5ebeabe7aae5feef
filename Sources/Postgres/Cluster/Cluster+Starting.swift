import Foundation
import Logging
import Synchronization

extension Cluster {
    /// Runs the cluster when nobody does, else waits until it answers. The process that runs it may end meanwhile.
    ///
    /// - Returns: true if it runs here.
    func runOrShare(_ place: ClusterPlace, account: ClusterAccount?) async throws -> Bool {
        let startedAt = ContinuousClock.now
        while true {
            if let lock = try takeLock(place) {
                state.withLock { $0.lock = lock }
                try await startOwn(place, account: account)
                return true
            }
            do {
                try await ask(database: "postgres")
                logger.info(
                    "using the database cluster that another process runs",
                    metadata: ["cluster": "\(place.root)"]
                )
                return false
            } catch {
                try rethrowRefusal(error, place)
                guard startedAt.duration(to: .now) < .seconds(60) else {
                    throw PostgresError(
                        .cluster,
                        "another process runs the cluster in \(place.root), but it does not answer",
                        underlying: error
                    )
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Waits until the process that runs the cluster ends, in whatever way, and runs it from then on.
    func succeed(_ place: ClusterPlace, account: ClusterAccount?) async {
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .milliseconds(100))
                guard let lock = try takeLock(place) else { continue }
                logger.notice(
                    "taking over the database cluster, which its starter has left",
                    metadata: ["cluster": "\(place.root)"]
                )
                do {
                    try place.prepare(account: account)
                    try await startOwn(place, account: account)
                    state.withLock { $0.lock = lock }
                    return
                } catch {
                    // Another process may have better luck.
                    try? release(lock)
                    throw error
                }
            } catch {
                guard !Task.isCancelled else { return }
                logger.error("the database cluster cannot be taken over", metadata: ["reason": "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func startOwn(_ place: ClusterPlace, account: ClusterAccount?) async throws {
        let tools = try await onThread { try ClusterTools.find(version: place.version) }
        if !place.hasData { try await create(place, tools, account) }
        try await endPredecessor(place)
        try await run(place, tools, account)
    }

    /// Starts the server and returns once it answers.
    func run(_ place: ClusterPlace, _ tools: ClusterTools, _ account: ClusterAccount?) async throws {
        let postmaster = Postmaster(
            command: Command(
                path: tools.path(of: "postgres"),
                arguments: arguments(place),
                account: account,
                endsWithUs: "INT"
            ),
            log: place.log,
            orphans: ClusterOrphans(place: place, logger: logger),
            patience: patience,
            logger: logger
        )
        state.withLock { $0.postmaster = postmaster }
        logger.info("starting the database cluster in \(place.root)")
        postmaster.start()
        do {
            try await waitUntilReady(postmaster, place)
        } catch {
            try? await postmaster.stop()
            throw error
        }
    }

    private func create(_ place: ClusterPlace, _ tools: ClusterTools, _ account: ClusterAccount?) async throws {
        try place.checkThatNothingIsLost()
        logger.notice("creating the database cluster in \(place.root) (once, a few seconds)")
        place.removeUnfinished()
        let unfinished = place.newUnfinished()
        try await initialize(unfinished, tools, account)
        // An empty directory in the way is nobody's data.
        rmdir(place.data)
        try place.move(unfinished, to: place.data)
    }

    /// Makes an empty cluster in a directory that there is not yet.
    func initialize(_ directory: String, _ tools: ClusterTools, _ account: ClusterAccount?) async throws {
        let command = Command(
            path: tools.path(of: "initdb"),
            arguments: [
                "-D", directory, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--data-checksums",
                "--auth=trust", "--no-instructions",
            ] + (settings["fsync"] == "off" ? ["--no-sync"] : []),
            account: account,
            endsWithUs: "KILL"
        )
        _ = try await command.run()
    }

    /// A server that outlived a killed program of ours is stopped. It may be ending already (the kernel told it that we
    /// died), so one that is gone before our signal is as good as one that obeyed it. One of its processes may hang and
    /// keep it: then it is told to end at once, which kills that process five seconds later.
    func endPredecessor(_ place: ClusterPlace) async throws {
        guard let owner = try ClusterOwner.current(place) else { return }
        logger.notice("stopping a database server that was left running", metadata: ["pid": "\(owner.processID)"])
        kill(owner.processID, SIGINT)
        let startedAt = ContinuousClock.now
        var isUrged = false
        while try ClusterOwner.current(place) == owner {
            let waited = startedAt.duration(to: .now)
            if waited > .seconds(15), !isUrged {
                isUrged = true
                logger.warning("the database server does not end in order and has to end at once")
                kill(owner.processID, SIGQUIT)
            }
            guard waited < .seconds(60) else {
                throw PostgresError(
                    .cluster,
                    "the database server with the process id \(owner.processID) does not stop"
                )
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func arguments(_ place: ClusterPlace) -> [String] {
        var all = [
            "listen_addresses": "", "unix_socket_directories": place.socketDirectory, "unix_socket_permissions": "0700",
            "port": "5432", "log_destination": "stderr", "logging_collector": "off", "cluster_name": "perennial",
            // Neither rows that break a rule nor statements with values in them: our own log has the statement's text.
            "log_error_verbosity": "terse", "log_min_error_statement": "panic",
            // A new installation grows from nothing to thousands of rows in seconds; statements are planned for what
            // was there.
            "autovacuum_naptime": "5s",
        ]
        all.merge(settings) { _, ours in ours }
        return ["-D", place.data] + all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
    }

    /// Recovery after a crash may take its time; we wait for as long as the server lives.
    private func waitUntilReady(_ postmaster: Postmaster, _ place: ClusterPlace) async throws {
        let startedAt = ContinuousClock.now
        var reportAt = startedAt + .seconds(5)
        while true {
            do {
                return try await ask(database: "postgres")
            } catch {
                try rethrowRefusal(error, place)
                let waited = startedAt.duration(to: .now)
                if postmaster.starts > 8 {
                    throw PostgresError(
                        .cluster,
                        "the database server does not start: \(postmaster.lastWords)",
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

    /// A cluster that lets nobody in runs, and says no however often it is asked.
    private func rethrowRefusal(_ error: any Error, _ place: ClusterPlace) throws {
        // libpq hands on the words of who refuses a connection, and no code; ours speaks English.
        guard let refusal = error as? PostgresError, refusal.code == .connectionFailed,
            ["pg_hba.conf", "authentication failed"].contains(where: refusal.message.contains)
        else { return }
        // With several lines libpq tells of each way that it tried; the last one decided.
        let reason = refusal.message.split(separator: "\n").last { $0.contains("FATAL") } ?? "it gives no reason"
        throw PostgresError(
            .cluster,
            """
            the database cluster in \(place.root) lets us not in: \(reason). \
            Let `local all postgres trust` be the first rule of \(place.data)/pg_hba.conf
            """,
            underlying: error
        )
    }

    /// The lock of the process that runs the cluster; nil when another one does. The kernel frees it however we end.
    func takeLock(_ place: ClusterPlace) throws -> FileHandle? {
        let descriptor = open(place.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PostgresError(.cluster, "cannot open \(place.lock): \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? handle : nil
    }

    /// Frees the lock for good: closing alone would leave it to a program that another thread is starting at this moment,
    /// which has our files until it begins.
    func release(_ lock: FileHandle) throws {
        flock(lock.fileDescriptor, LOCK_UN)
        try lock.close()
    }
}
