import Foundation
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// Stops the program at a signal; where it does not stop in time, says what still runs, and ends it.
///
/// It waits on a thread of its own and hears the signals itself: it needs nothing of what may be stuck.
final class ShutdownDeadline: Sendable {
    private struct State {
        var running: [String] = []
        var isStarting = true
        var hasBegun = false
        /// Stops what the program does at present.
        var stop: (@Sendable () -> Void)?
    }

    private static let exitCode: Int32 = 1

    private let limit: Duration
    private let logger: Logger
    private let state = Mutex(State())

    init(_ limit: Duration, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    /// A service that is named while it runs.
    func watching(_ service: any Service, as name: String) -> any Service {
        WatchedService(name: name, service: service, deadline: self)
    }

    /// Runs the program. The first SIGTERM or SIGINT cancels its start, or ends the services that it runs; from then on
    /// the process has until the limit, and so it has from the program's end on.
    ///
    /// A process without a handler ignores signals when it is the first one of a container, so they are heard from here
    /// on.
    func run(_ program: @escaping @Sendable () async throws -> Void) async throws {
        let queue = DispatchQueue(label: "shutdown deadline")
        let sources = [SIGTERM, SIGINT].map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
            source.setEventHandler { self.begin() }
            return source
        }
        for source in sources {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                source.setRegistrationHandler { continuation.resume() }
                source.activate()
            }
        }
        defer {
            begin()
            for source in sources { source.cancel() }
        }
        let task = Task { try await program() }
        if !stops({ task.cancel() }) { task.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            guard state.withLock({ $0.hasBegun && $0.isStarting }) else { throw error }
            logger.notice("told to stop before it had started", metadata: ["reason": "\(error)"])
        }
    }

    /// Runs the services of a program that has started.
    ///
    /// - Throws: `CancellationError` when it was told to stop before.
    func runServices(of group: ServiceGroup) async throws {
        guard stops({ Task { await group.triggerGracefulShutdown() } }, isStarting: false) else {
            throw CancellationError()
        }
        try await group.run()
    }

    /// The program has been told to stop; only the first call counts.
    func begin() {
        let (isFirst, stop) = state.withLock { state in
            defer { state.hasBegun = true }
            return (!state.hasBegun, state.stop)
        }
        guard isFirst else { return }
        Thread.detachNewThread { self.leaveInTime() }
        stop?()
    }

    /// Puts down how the program is told to stop from now on; false when it has been told already.
    private func stops(_ stop: @escaping @Sendable () -> Void, isStarting: Bool = true) -> Bool {
        state.withLock { state in
            guard !state.hasBegun else { return false }
            (state.stop, state.isStarting) = (stop, isStarting)
            return true
        }
    }

    private func leaveInTime() {
        Thread.sleep(forTimeInterval: limit / .seconds(1))
        let (running, isStarting) = state.withLock { ($0.running, $0.isStarting) }
        let nothing = isStarting ? "the start" : "the database cluster"
        let names = running.isEmpty ? nothing : running.joined(separator: ", ")
        LastWord.say { [limit, logger] in
            logger.critical(
                "still running after the limit for stopping; leaving now",
                metadata: ["seconds": "\(limit / .seconds(1))", "running": "\(names)"]
            )
        }
        _exit(Self.exitCode)
    }

    fileprivate func started(_ name: String) {
        state.withLock { $0.running.append(name) }
    }

    fileprivate func ended(_ name: String) {
        state.withLock { state in
            if let index = state.running.firstIndex(of: name) { state.running.remove(at: index) }
        }
    }
}

private struct WatchedService: Service {
    let name: String
    let service: any Service
    let deadline: ShutdownDeadline

    func run() async throws {
        deadline.started(name)
        defer { deadline.ended(name) }
        try await withGracefulShutdownHandler {
            try await service.run()
        } onGracefulShutdown: { [deadline] in
            deadline.begin()
        }
    }
}

/// The end of the program.
package enum ProcessEnd {
    /// Leaves at once when a thread is left inside libpq, where `exit` would pull the ground from under it; otherwise
    /// returns.
    ///
    /// A command's output waits for its reader, as that of any program does; a server has its deadline meanwhile.
    ///
    /// - Parameter message: the last line for the person at the terminal.
    package static func leaveIfNeeded(_ code: Int32, saying message: String = "") {
        guard HelperThreads.areLeft else { return }
        if !message.isEmpty { LastWord.say { LineLogHandler.writeToStandardError(message + "\n") } }
        fflush(nil)
        _exit(code)
    }
}
