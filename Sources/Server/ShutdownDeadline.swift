import Foundation
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// Ends the program when it was told to stop and does not: says what still runs, and leaves.
///
/// It waits on a thread of its own and hears the signals itself: it needs nothing of what may be stuck.
final class ShutdownDeadline: Sendable {
    private struct State {
        var running: [String] = []
        var hasBegun = false
        var isOver = false
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

    /// Runs the body; from the first SIGTERM or SIGINT on, or from `begin()`, it has until the limit.
    func withSignals<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let queue = DispatchQueue(label: "shutdown deadline")
        let sources = [SIGTERM, SIGINT].map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
            source.setEventHandler { self.begin() }
            source.activate()
            return source
        }
        defer { for source in sources { source.cancel() } }
        return try await body()
    }

    /// The program has been told to stop; only the first call counts.
    func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        Thread.detachNewThread { [self] in
            Thread.sleep(forTimeInterval: limit / .seconds(1))
            let (running, isOver) = state.withLock { ($0.running, $0.isOver) }
            guard !isOver else { return }
            let names = running.isEmpty ? "the database cluster" : running.joined(separator: ", ")
            logger.critical(
                "still running after the limit for stopping; leaving now",
                metadata: ["seconds": "\(limit / .seconds(1))", "running": "\(names)"]
            )
            fflush(nil)
            _exit(Self.exitCode)
        }
    }

    /// It has ended by itself.
    func end() {
        state.withLock { $0.isOver = true }
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
    /// Leaves at once when a thread is left inside libpq, where `exit` would pull the ground from under it; otherwise returns.
    ///
    /// - Parameter message: the last line for the person at the terminal.
    package static func leaveIfNeeded(_ code: Int32, saying message: String = "") {
        guard HelperThreads.areLeft else { return }
        if !message.isEmpty { FileHandle.standardError.write(Data((message + "\n").utf8)) }
        fflush(nil)
        _exit(code)
    }
}
