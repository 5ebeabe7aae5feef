import Foundation
import Synchronization

/// Where passwords are hashed: two threads of their own, so that signing in never holds up other requests.
final class PasswordThreads: Sendable {
    /// One for the whole process, because the processor is one.
    static let shared = PasswordThreads(count: 2, queueLimit: 64)

    private let queue: OperationQueue
    private let queueLimit: Int
    private let taken = Mutex(0)

    init(count: Int, queueLimit: Int) {
        self.queueLimit = queueLimit
        queue = OperationQueue()
        queue.name = "passwords"
        queue.maxConcurrentOperationCount = count
    }

    /// - Throws: `OperationsError` with `.overloaded` when too many wait already; otherwise what `work` throws.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        let isFull = taken.withLock { taken in
            guard taken < queueLimit else { return true }
            taken += 1
            return false
        }
        guard !isFull else { throw OperationsError(.overloaded, "Too many people are signing in. Try again soon.") }
        defer { taken.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.addOperation { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}
