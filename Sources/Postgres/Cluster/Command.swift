import Foundation
import Synchronization

/// A program to run, under another account if need be.
struct Command: Sendable {
    var path: String
    var arguments: [String]
    var account: ClusterAccount?
    /// The program gets this signal when the thread that started it ends.
    var endsWithUs: String?
    var directory: String
    var environment: [String: String]

    init(
        path: String,
        arguments: [String],
        account: ClusterAccount? = nil,
        endsWithUs: String? = nil,
        directory: String = "/",
        environment: [String: String] = ["LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]
    ) {
        self.path = path
        self.arguments = arguments
        self.account = account
        self.endsWithUs = endsWithUs
        self.directory = directory
        self.environment = environment
    }

    /// Runs it to its end and returns what it printed; throws when it fails. Blocks.
    func runBlocking() throws -> String {
        try runBlocking(Execution())
    }

    private func runBlocking(_ execution: Execution) throws -> String {
        // A file and not a pipe: a program left running behind this one would keep a pipe open.
        let output = try TemporaryFile()
        let succeeded = try execution.run(self, output: output.descriptor)
        let text = output.contents.trimmingCharacters(in: .whitespacesAndNewlines)
        guard succeeded else {
            let name = (path as NSString).lastPathComponent
            throw PostgresError(.cluster, "\(name) failed: \(Self.withoutValues(text, of: name))")
        }
        return text
    }

    /// Returns a program's output without the parts of the server's messages that hold row values: from `DETAIL:` or `CONTEXT:`
    /// to a hint or the program's next line.
    static func withoutValues(_ text: String, of name: String) -> String {
        var isHidden = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("DETAIL:") || line.hasPrefix("CONTEXT:") { isHidden = true }
            if line.hasPrefix("HINT:") || line.hasPrefix("\(name): ") { isHidden = false }
            return !isHidden
        }
        return lines.joined(separator: "\n")
    }

    /// The same on a thread of its own; when the task is cancelled the program is ended.
    func run() async throws -> String {
        let execution = Execution()
        return try await withTaskCancellationHandler {
            try await onThread { try runBlocking(execution) }
        } onCancel: {
            execution.end()
        }
    }

    /// Starts it, with setpriv(1) in front where it is needed.
    func start(output: Int32) throws -> ChildProcess {
        var words = [path] + arguments
        var privileges: [String] = []
        if let account { privileges += ["--reuid=\(account.userID)", "--regid=\(account.groupID)", "--init-groups"] }
        if let endsWithUs { privileges += ["--pdeathsig", endsWithUs] }
        let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].first(where: FileManager.default.isExecutableFile(atPath:))
        if let setpriv, !privileges.isEmpty {
            words = [setpriv] + privileges + ["--"] + words
        } else if let account {
            // Only Linux has setpriv; elsewhere nobody but root gets here.
            words = ["/usr/bin/sudo", "-n", "-u", account.name, "--"] + words
        }
        return try ChildProcess(
            words,
            environment: environment,
            directory: directory,
            output: output
        )
    }
}

/// One run of a program, which may be ended from outside.
private final class Execution: Sendable {
    private struct State {
        var processID: Int32?
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Blocks until the program has ended; true when it ended well.
    func run(_ command: Command, output: Int32) throws -> Bool {
        let process: ChildProcess = try state.withLock { state in
            guard !state.isEnded else { throw CancellationError() }
            let process = try command.start(output: output)
            state.processID = process.processID
            return process
        }
        defer { state.withLock { $0.processID = nil } }
        return process.waitUntilExit()
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            if let processID = state.processID { kill(processID, SIGTERM) }
        }
    }
}

/// A file without a name.
private struct TemporaryFile: ~Copyable {
    let descriptor: Int32

    init() throws {
        var path = Array("/tmp/perennial-XXXXXX\0".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw PostgresError(.cluster, "cannot make a file in /tmp: \(String(cString: strerror(errno)))")
        }
        unlink(&path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }

    var contents: String {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// Runs what blocks on a thread of its own, off the cooperative ones, which has ended when this returns.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let end = Request<Void, Value>(())
    let thread = HelperThread { end.finish(Result { try body() }) }
    guard let thread else { throw PostgresError(.cluster, "the system has no thread left") }
    defer { thread.join(within: .seconds(1)) }
    return try await end.answer()
}
