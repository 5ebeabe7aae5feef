import Testing

@testable import Postgres

@Suite("Parts")
struct PartsTests {
    @Test("a queue gives back what it took, in order, whatever happens in between")
    func fifo() {
        var queue = FIFO<Int>()
        var model: [Int] = []
        var generator = Seeded(state: 7)
        for number in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                queue.append(number)
                model.append(number)
            case 5..<9:
                guard queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()) else {
                    Issue.record("the queue gave back something else")
                    return
                }
            default:
                queue.prepend(number)
                model.insert(number, at: 0)
            }
            if number.isMultiple(of: 4999) {
                queue.removeAll { $0.isMultiple(of: 3) }
                model.removeAll { $0.isMultiple(of: 3) }
            }
            guard queue.count == model.count, queue.first == model.first else {
                Issue.record("the queue differs after \(number) steps")
                return
            }
        }
        #expect(queue.removeAll() == model)
        #expect(queue.isEmpty)
    }

    @Test("deadlines come due in the order of time")
    func deadlines() {
        let start = ContinuousClock.now
        var deadlines = Deadlines<Int>()
        var generator = Seeded(state: 11)
        let times = (0..<1000).map { _ in Int.random(in: 0..<500, using: &generator) }
        for time in times { deadlines.add(time, at: start + .milliseconds(time)) { _ in true } }
        #expect(deadlines.first == start + .milliseconds(times.min() ?? 0))
        #expect(deadlines.popDue(at: start - .milliseconds(1)) == nil)
        var popped: [Int] = []
        while let next = deadlines.popDue(at: start + .seconds(1)) { popped.append(next) }
        #expect(popped == times.sorted())
    }

    @Test("deadlines of what is over do not pile up")
    func deadlinesAreSwept() {
        var deadlines = Deadlines<Int>()
        for number in 0..<100_000 {
            deadlines.add(number, at: .now + .seconds(60)) { $0 > number - 10 }
        }
        #expect(deadlines.count < 600)
    }

    @Test("the statement that was not used for longest is given up")
    func statements() {
        var cache = StatementCache(limit: 2)
        let (a, b, c): (Query, Query, Query) = ("a", "b", "c")
        #expect(cache.name(of: .init(a)) == nil)
        #expect(cache.insert(.init(a)).name == "s1")
        #expect(cache.insert(.init(b)).name == "s2")
        #expect(cache.name(of: .init(a)) == "s1")
        let (name, evicted) = cache.insert(.init(c))
        #expect(name == "s3")
        #expect(evicted == "s2")
        #expect(cache.name(of: .init(b)) == nil)
        let (wrong, right) = (
            cache.forget(.init(key: .init(a), name: "s0")), cache.forget(.init(key: .init(a), name: "s1"))
        )
        #expect(!wrong)
        #expect(right)
        #expect(cache.count == 1)
    }

    @Test("the same text for other types is another statement")
    func statementTypes() {
        let (number, text): (Query, Query) = ("SELECT \(1)", "SELECT \("1")")
        #expect(number.text == text.text)
        #expect(StatementCache.Key(number) != StatementCache.Key(text))
    }

    @Test("the pause doubles up to its limit and is at least half of what it could be")
    func backoff() {
        let backoff = Backoff()
        #expect(backoff.delay(attempt: 0, random: 0.5) == .zero)
        #expect(backoff.delay(attempt: 1, random: 0) == .milliseconds(25))
        #expect(backoff.delay(attempt: 3, random: 0) == .milliseconds(100))
        #expect(backoff.delay(attempt: 1000, random: 0) == .milliseconds(2500))
        #expect(backoff.delay(attempt: 1000, random: 0.999) < .seconds(5))
    }

    @Test("a request is answered once, by whoever comes first")
    func requestIsAnsweredOnce() async throws {
        for _ in 0..<2000 {
            let request = Request<Void, Int>(())
            async let answer = request.answer()
            async let first = Task.detached { request.finish(.success(1)) }.value
            async let second = Task.detached { request.abandon(PostgresError(.cancelled, "")) }.value
            let value = try? await answer
            let (finished, _) = await (first, second)
            #expect(finished == (value == 1))
        }
    }

    @Test("an answer that comes before anybody waits is kept")
    func earlyAnswer() async throws {
        let request = Request<Void, Int>(())
        #expect(request.take())
        #expect(request.finish(.success(5)))
        #expect(!request.finish(.success(6)))
        #expect(try await request.answer() == 5)
    }

    @Test("a request goes back into the queue once")
    func puttingBack() {
        let request = Request<Void, Int>(())
        #expect(!request.putBack())
        #expect(request.take())
        #expect(request.putBack())
        #expect(request.take())
        #expect(!request.putBack())
    }

    @Test("a stream's buffer stops its producer when full and starts it again")
    func streamBuffer() async throws {
        let (resumed, resume) = AsyncStream<Void>.makeStream()
        let buffer = StreamBuffer<Int>(capacity: 2) { resume.yield() }
        #expect(buffer.append([1]))
        #expect(!buffer.append([2]))
        #expect(try await buffer.next() == [1, 2])
        for await _ in resumed { break }
        buffer.finish(throwing: PostgresError(.connectionLost, "gone"))
        await #expect(throws: PostgresError.self) { try await buffer.next() }
    }

    @Test("of two who read a stream at once one is refused, and the other gets what comes", .timeLimit(.minutes(10)))
    func streamBufferOfTwo() async throws {
        let (refused, refuse) = AsyncStream<any Error>.makeStream()
        let (taken, take) = AsyncStream<[Int]?>.makeStream()
        let buffer = StreamBuffer<Int>(capacity: 1) {}
        for _ in 0..<2 {
            Task {
                do {
                    take.yield(try await buffer.next())
                } catch {
                    refuse.yield(error)
                }
            }
        }
        for await error in refused {
            #expect((error as? PostgresError)?.code == .protocolViolation)
            break
        }
        #expect(buffer.append([1]))
        for await elements in taken {
            #expect(elements == [1])
            break
        }
    }

    @Test("an abandoned buffer keeps nothing and does not stop its producer")
    func abandonedBuffer() async throws {
        let buffer = StreamBuffer<Int>(capacity: 1) {}
        #expect(!buffer.append([1]))
        #expect(buffer.abandon())
        #expect(buffer.append([2]))
        await #expect(throws: PostgresError.self) { try await buffer.next() }
    }

    @Test("a writer waits until there is room, and hears of a failure")
    func copyBuffer() async throws {
        let (attended, attend) = AsyncStream<Void>.makeStream()
        let buffer = CopyBuffer { attend.yield() }
        let chunk = [UInt8](repeating: 1, count: 200 * 1024)
        try await buffer.write(chunk)
        let second = Task { try await buffer.write(chunk) }
        var seen = 0
        for await _ in attended {
            seen += 1
            if seen == 2 { break }
        }
        guard case .chunk = buffer.take() else {
            Issue.record("a chunk was written")
            return
        }
        try await second.value
        buffer.fail(PostgresError(.connectionLost, "gone"))
        await #expect(throws: PostgresError.self) { try await buffer.write(chunk) }
    }
}

/// A generator of the same numbers in each run.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 31)
    }
}
