import Synchronization
import Testing

@testable import Operations

@Suite("What several callers ask together") struct GroupedCallsTests {
    /// A database that answers when it is told to.
    private final class Slow: Sendable {
        private struct State {
            /// The questions of each group, in the order of asking.
            var asked: [Set<Int>] = []
            var open: [(questions: Set<Int>, answer: CheckedContinuation<[Int: String], any Error>)] = []
        }

        private let state = Mutex(State())

        var asked: [Set<Int>] { state.withLock { $0.asked } }

        func ask(_ questions: [Int]) async throws -> [Int: String] {
            try await withCheckedThrowingContinuation { answer in
                state.withLock {
                    $0.asked.append(Set(questions))
                    $0.open.append((Set(questions), answer))
                }
            }
        }

        /// Returns once that many groups were asked for.
        func waits(for count: Int) async {
            while asked.count < count { await Task.yield() }
        }

        /// Answers the group that has waited longest; questions below zero have no answer.
        ///
        /// - Returns: false if no group waits.
        @discardableResult
        func finish(_ error: (any Error)? = nil) -> Bool {
            guard let group = state.withLock({ $0.open.isEmpty ? nil : $0.open.removeFirst() }) else { return false }
            let answers = group.questions.filter { $0 >= 0 }.map { ($0, "\($0)") }
            group.answer.resume(with: error.map { .failure($0) } ?? .success(Dictionary(uniqueKeysWithValues: answers)))
            return true
        }
    }

    private struct Away: Error {}

    private let slow = Slow()
    private let calls: GroupedCalls<Int, String?>

    init() {
        calls = GroupedCalls(most: 2) { [slow] questions, _ in
            let answers = try await slow.ask(questions)
            return questions.map { answers[$0] }
        }
    }

    /// Starts two groups of one question each.
    private func occupy() async -> [Task<String?, any Error>] {
        var callers: [Task<String?, any Error>] = []
        for question in [1, 2] {
            callers.append(Task { try await calls.answer(to: question) })
            await slow.waits(for: question)
        }
        return callers
    }

    @Test(
        "a question goes at once; what is asked while as many as may be are under way goes together, and each has its own answer"
    )
    func grouped() async throws {
        let first = await occupy()
        let later = (3...50).map { question in Task { try await calls.answer(to: question) } }
        while calls.waiting < later.count { await Task.yield() }
        #expect(slow.asked == [[1], [2]])
        slow.finish()
        await slow.waits(for: 3)
        #expect(slow.asked == [[1], [2], Set(3...50)])
        slow.finish()
        slow.finish()
        for (caller, question) in zip(first + later, 1...) { #expect(try await caller.value == "\(question)") }
    }

    @Test("the same asked twice is answered twice; where there is nothing, nothing is answered")
    func same() async throws {
        let first = await occupy()
        let questions = [7, 7, -1, 7, -1]
        let later = questions.map { question in Task { try await calls.answer(to: question) } }
        while calls.waiting < later.count { await Task.yield() }
        slow.finish()
        await slow.waits(for: 3)
        #expect(slow.asked.last == [7, -1])
        while slow.finish() {}
        for (caller, question) in zip(later, questions) {
            #expect(try await caller.value == (question < 0 ? nil : "7"))
        }
        for caller in first { _ = try await caller.value }
    }

    @Test("nobody is answered by a group that was sent before they asked")
    func fresh() async throws {
        let first = await occupy()
        let again = Task { try await calls.answer(to: 1) }
        while calls.waiting < 1 { await Task.yield() }
        slow.finish()
        #expect(try await first[0].value == "1")
        await slow.waits(for: 3)
        #expect(slow.asked.last == [1])
        slow.finish()
        slow.finish()
        #expect(try await again.value == "1")
        #expect(try await first[1].value == "2")
    }

    @Test(
        "a group that fails does so for each of its callers, and for no other; a caller who goes away ends it for none"
    )
    func failing() async throws {
        let first = await occupy()
        let later = (3...5).map { question in Task { try await calls.answer(to: question) } }
        while calls.waiting < later.count { await Task.yield() }
        first[1].cancel()
        slow.finish(Away())
        await slow.waits(for: 3)
        slow.finish()
        later[0].cancel()
        slow.finish(Away())
        await #expect(throws: Away.self) { try await first[0].value }
        #expect(try await first[1].value == "2")
        for caller in later { await #expect(throws: Away.self) { try await caller.value } }
        let next = Task { try await calls.answer(to: 6) }
        await slow.waits(for: 4)
        slow.finish()
        #expect(try await next.value == "6")
    }

    @Test("who asks hears how long the first of a group has waited")
    func waited() async throws {
        let waits = Mutex<[Duration]>([])
        let slow = Slow()
        let calls = GroupedCalls<Int, String?>(most: 1) { questions, waited in
            waits.withLock { $0.append(waited) }
            let answers = try await slow.ask(questions)
            return questions.map { answers[$0] }
        }
        let first = Task { try await calls.answer(to: 1) }
        await slow.waits(for: 1)
        let second = Task { try await calls.answer(to: 2) }
        while calls.waiting < 1 { await Task.yield() }
        let since = ContinuousClock.now
        while ContinuousClock.now - since < .milliseconds(20) { await Task.yield() }
        slow.finish()
        await slow.waits(for: 2)
        slow.finish()
        #expect(try await first.value == "1")
        #expect(try await second.value == "2")
        #expect(waits.withLock { $0.last ?? .zero } >= .milliseconds(20))
    }

    @Test("who asks several things at once has an answer to each, in order; a group is of so many callers at most")
    func several() async throws {
        let slow = Slow()
        let calls = GroupedCalls<Int, String?>(most: 1, size: 3) { questions, _ in
            let answers = try await slow.ask(questions)
            return questions.map { answers[$0] }
        }
        let first = Task { try await calls.answers(to: []) }
        await slow.waits(for: 1)
        let asked = [[3, 1, 2], [5], [], [-1, 6, -1], [8, 9]]
        var later: [Task<[String?], any Error>] = []
        for questions in asked {
            later.append(Task { try await calls.answers(to: questions) })
            while calls.waiting < later.count { await Task.yield() }
        }
        slow.finish()
        await slow.waits(for: 2)
        slow.finish()
        await slow.waits(for: 3)
        slow.finish()
        #expect(slow.asked == [[], [1, 2, 3, 5], [-1, 6, 8, 9]])
        #expect(try await first.value == [])
        for (caller, questions) in zip(later, asked) {
            #expect(try await caller.value == questions.map { $0 < 0 ? nil : "\($0)" })
        }
    }
}
