import Foundation

/// Waits until another thread has made a condition true; fails after three minutes.
func until(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(180)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened() }
        try await Task.sleep(for: .milliseconds(2))
    }
}

struct NeverHappened: Error {}
