import Synchronization

/// The requests that stores got in a test, in order.
final class Questions: Sendable {
    private struct State {
        var questions: [String] = []
        var waiting: [Waiting] = []
    }

    private struct Waiting {
        let question: String
        let times: Int
        let continuation: CheckedContinuation<Void, Never>

        func isOver(_ questions: [String]) -> Bool {
            questions.count { $0.hasPrefix(question) } >= times
        }
    }

    private let state = Mutex(State())

    var all: [String] { state.withLock { $0.questions } }

    func append(_ question: String) {
        let arrived = state.withLock { state in
            state.questions.append(question)
            let (waiting, questions) = (state.waiting, state.questions)
            state.waiting = waiting.filter { !$0.isOver(questions) }
            return waiting.filter { $0.isOver(questions) }
        }
        for waiting in arrived { waiting.continuation.resume() }
    }

    /// Returns once that many requests with this beginning have come.
    func wait(for question: String, times: Int = 1) async {
        await withCheckedContinuation { continuation in
            let waiting = Waiting(question: question, times: times, continuation: continuation)
            let isThere = state.withLock { state in
                if waiting.isOver(state.questions) { return true }
                state.waiting.append(waiting)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
