import Foundation

/// Signals to a command that has something to clear away before it ends.
enum Interruption {
    /// Runs a program that SIGTERM and SIGINT cancel.
    ///
    /// - Throws: `ConfigurationProblem` with `notice` for one that was cancelled.
    static func cancelling<Value: Sendable>(
        _ notice: String,
        _ program: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await program() }
        let queue = DispatchQueue(label: "interruption")
        let sources = [SIGTERM, SIGINT].map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
            source.setEventHandler { task.cancel() }
            source.activate()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            return try await task.value
        } catch {
            guard task.isCancelled else { throw error }
            throw ConfigurationProblem(notice)
        }
    }
}
