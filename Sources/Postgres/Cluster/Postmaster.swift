import Foundation
import Logging
import Synchronization

/// Keeps one `postgres` running: starts it again when it dies, until it is told to stop.
final class Postmaster: Sendable {
    private struct State {
        var processID: Int32?
        var isStopping = false
        var stopping: Task<Void, any Error>?
        var starts = 0
    }

    private let command: Command
    private let log: String
    private let orphans: ClusterOrphans
    private let patience: Duration
    private let logger: Logger
    private let state = Mutex(State())
    private let ended = Request<Void, Void>(())

    /// - Parameter patience: the longest that it may take to end in order.
    init(command: Command, log: String, orphans: ClusterOrphans, patience: Duration, logger: Logger) {
        self.command = command
        self.log = log
        self.orphans = orphans
        self.patience = patience
        self.logger = logger
    }

    var processID: Int32? { state.withLock(\.processID) }
    /// The number of times that it was started.
    var starts: Int { state.withLock(\.starts) }

    /// Starts it. The thread lives as long as the process, which is told to stop when the thread that started it ends:
    /// that way PostgreSQL does not outlive a server that was killed.
    func start() {
        let thread = Thread { [self] in
            keepRunning()
            ended.finish(.success(()))
        }
        thread.name = "postmaster"
        thread.start()
    }

    /// Fast shutdown: sessions are cut, nothing is lost. Where a process hangs it does not end; then the immediate one,
    /// which kills what is left after five seconds. A second call waits for the same end.
    func stop() async throws {
        let stopping = state.withLock { state in
            if let stopping = state.stopping { return stopping }
            state.isStopping = true
            let stopping = Task { [self, processID = state.processID] in try await end(processID) }
            state.stopping = stopping
            return stopping
        }
        try await stopping.value
    }

    private func end(_ processID: Int32?) async throws {
        if let processID { kill(processID, SIGINT) }
        let impatience = Task { [self] in
            try await Task.sleep(for: patience)
            if let processID = self.processID { kill(processID, SIGQUIT) }
        }
        defer { impatience.cancel() }
        try await ended.answer()
    }

    /// The end of what PostgreSQL has written to its log.
    var lastWords: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).joined(separator: "\n")
    }

    private func keepRunning() {
        var pause = 0.1
        while !state.withLock(\.isStopping) {
            let startedAt = ContinuousClock.now
            do {
                try runOnce()
            } catch {
                logger.error("cannot run postgres", metadata: ["reason": "\(error)"])
            }
            guard !state.withLock(\.isStopping) else { return }
            logger.warning("the database server ended and is started again", metadata: ["log": "\(log)"])
            pause = startedAt.duration(to: .now) > .seconds(10) ? 0.1 : min(pause * 2, 2)
            Thread.sleep(forTimeInterval: pause)
        }
    }

    private func runOnce() throws {
        orphans.end()
        let output = try openLog()
        let started: ChildProcess? = try state.withLock { state in
            guard !state.isStopping else { return nil }
            let process = try command.start(output: output.fileDescriptor)
            state.processID = process.processID
            state.starts += 1
            return process
        }
        _ = started?.waitUntilExit()
        state.withLock { $0.processID = nil }
    }

    private func openLog() throws -> FileHandle {
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PostgresError(.cluster, "cannot write \(log): \(String(cString: strerror(errno)))")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
