import Synchronization

/// What stores were asked in a test, in their order.
final class Questions: Sendable {
    private let questions = Mutex<[String]>([])

    var all: [String] { questions.withLock { $0 } }

    func append(_ question: String) {
        questions.withLock { $0.append(question) }
    }
}
