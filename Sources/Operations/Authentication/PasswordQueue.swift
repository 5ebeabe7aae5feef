import Foundation
import Synchronization

/// A thread that hashes passwords, and the places before it.
final class PasswordQueue: Sendable {
    private let queue: OperationQueue
    private let places: Int
    private let taken = Mutex(0)

    init(places: Int) {
        self.places = places
        queue = OperationQueue()
        queue.name = "passwords"
        queue.maxConcurrentOperationCount = 1
    }

    /// Takes a place and runs work on the thread.
    ///
    /// - Throws: `OperationsError` with `.overloaded` when no place is free; otherwise what `work` throws.
    func run<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withPlace { try await runInPlace(work) }
    }

    /// Lends a place while `body` runs.
    ///
    /// - Throws: `OperationsError` with `.overloaded` when none is free; otherwise what `body` throws.
    func withPlace<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
        let isFull = taken.withLock { taken in
            guard taken < places else { return true }
            taken += 1
            return false
        }
        guard !isFull else { throw OperationsError(.overloaded, "Too many people are signing in. Try again soon.") }
        defer { taken.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Runs work on the thread, for who has a place already.
    func runInPlace<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            queue.addOperation { continuation.resume(with: Result { try work() }) }
        }
    }
}
