import Synchronization

/// Asks the database in one round trip what several callers want of it.
///
/// While fewer groups than `most` are under way, a question goes at once. What is asked meanwhile goes together when one of them comes
/// back: nobody waits for others to ask, and the busier the server, the more are asked for at once. Whoever asks is answered by what
/// the database said after they asked.
final class GroupedCalls<Question: Sendable, Answer: Sendable>: Sendable {
    /// Asks for each of some questions.
    ///
    /// - Parameter waited: the time for which the first caller has waited already.
    /// - Returns: an answer to each question, in their order.
    typealias Ask = @Sendable (_ questions: [Question], _ waited: Duration) async throws -> [Answer]

    private struct Caller {
        let questions: [Question]
        let start: ContinuousClock.Instant
        let continuation: CheckedContinuation<[Answer], any Error>
    }

    private struct State {
        var waiting: [Caller] = []
        var underWay = 0
    }

    private let most: Int
    private let size: Int
    private let ask: Ask
    private let state = Mutex(State())

    /// - Parameters:
    ///   - most: the largest number of groups under way.
    ///   - size: the largest number of callers in a group.
    init(most: Int = 2, size: Int = .max, ask: @escaping Ask) {
        (self.most, self.size) = (max(1, most), max(1, size))
        self.ask = ask
    }

    /// The number of callers that wait for a group to start.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// - Returns: an answer to each question, in their order.
    /// - Throws: the error of `ask`, to all callers of a group.
    func answers(to questions: [Question]) async throws -> [Answer] {
        try await withCheckedThrowingContinuation { continuation in
            let caller = Caller(questions: questions, start: .now, continuation: continuation)
            state.withLock { $0.waiting.append(caller) }
            begin()
        }
    }

    func answer(to question: Question) async throws -> Answer {
        try await answers(to: [question])[0]  // safe: one for each
    }

    /// Sends those who wait on their way, unless too many are.
    private func begin() {
        let group = state.withLock { state -> [Caller] in
            guard state.underWay < most, !state.waiting.isEmpty else { return [] }
            state.underWay += 1
            let group = Array(state.waiting.prefix(size))
            state.waiting.removeFirst(group.count)
            return group
        }
        guard let first = group.first else { return }
        // Of its own: a caller who goes away ends it for no other.
        Task {
            let result: Result<[Answer], any Error>
            do {
                result = .success(try await ask(group.flatMap(\.questions), .now - first.start))
            } catch {
                result = .failure(error)
            }
            state.withLock { $0.underWay -= 1 }
            begin()
            Self.answer(group, result)
        }
    }

    private static func answer(_ group: [Caller], _ result: Result<[Answer], any Error>) {
        var given = 0
        for caller in group {
            let share = given..<(given + caller.questions.count)
            given = share.upperBound
            caller.continuation.resume(with: result.map { Array($0[share]) })  // safe: there is one for each
        }
    }
}
