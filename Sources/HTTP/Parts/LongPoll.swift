import ServiceLifecycle

/// An answer that waits for something that happens elsewhere: it looks again and again, and holds nothing of the database in between.
package enum LongPoll {
    /// The longest time, in seconds, that a call may ask to wait.
    package static let longest = 25
    /// The time between two looks.
    private static let interval = Duration.seconds(1)

    /// Looks until what it sees is worth an answer, for some seconds at most; a server that stops answers with what it knows.
    ///
    /// - Parameters:
    ///   - isAnswer: true for what needs no waiting.
    ///   - look: throws what the call is answered with.
    package static func value<Value: Sendable>(
        within seconds: Int,
        of context: WebRequestContext,
        isAnswer: (Value) -> Bool,
        look: () async throws -> Value
    ) async throws -> Value {
        let end = ContinuousClock.now + .seconds(min(max(seconds, 0), longest))
        while true {
            let seen = try await look()
            let start = ContinuousClock.now
            let pause = min(interval, end - start)
            guard !isAnswer(seen), pause > .zero else { return seen }
            let waited: Void? = try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
            context.notes.note(waited: .now - start)
            guard waited != nil else { return seen }
        }
    }
}
