import Synchronization

/// What stores were asked in a test, in their order.
final class Questions: Sendable {
    private struct State {
        var questions: [String] = []
        var waiting: [(question: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var all: [String] { state.withLock { $0.questions } }

    func append(_ question: String) {
        let arrived = state.withLock { state in
            state.questions.append(question)
            let arrived = state.waiting.filter { question.hasPrefix($0.question) }.map(\.continuation)
            state.waiting.removeAll { question.hasPrefix($0.question) }
            return arrived
        }
        for continuation in arrived { continuation.resume() }
    }

    /// Returns when there has been one that begins like this.
    func wait(for question: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.questions.contains { $0.hasPrefix(question) }
                if !isThere { state.waiting.append((question, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }
}
