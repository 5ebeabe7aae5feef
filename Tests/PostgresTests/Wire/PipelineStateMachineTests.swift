import Testing

@testable import Postgres

@Suite("Pipeline state machine")
struct PipelineStateMachineTests {
    typealias Machine = PipelineStateMachine<String, Int>

    private let key = StatementCache.Statement(key: .init("SELECT 1"), name: "s1")
    private let other = StatementCache.Statement(key: .init("SELECT 2"), name: "s2")
    private let unique = PostgresError(.server(.uniqueViolation), "duplicate")

    @Test("a statement is over at its Sync, not at its result")
    func overAtSync() throws {
        var machine = Machine()
        machine.sent("a", steps: [.execute(key)])
        #expect(machine.received(.output(1)).isNone)
        #expect(machine.received(.endOfStep).isNone)
        let (job, outputs) = try #require(machine.received(.synced).completed)
        #expect(job == "a")
        #expect(outputs == [1])
        #expect(machine.isEmpty)
    }

    @Test("an error after the result, as a deferred constraint gives it, fails the statement")
    func deferredError() throws {
        var machine = Machine()
        machine.sent("a", steps: [.execute(key)])
        _ = machine.received(.output(1))
        _ = machine.received(.endOfStep)
        _ = machine.received(.failure(unique))
        _ = machine.received(.endOfStep)
        let failure = try #require(machine.received(.synced).failed)
        #expect(failure.error.sqlState == .uniqueViolation)
        #expect(failure.unprepared.isEmpty)
    }

    @Test("an error fails its own group and not the next")
    func neighbours() throws {
        var machine = Machine()
        machine.sent("a", steps: [.execute(key)])
        machine.sent("b", steps: [.execute(key)])
        _ = machine.received(.failure(unique))
        _ = machine.received(.endOfStep)
        #expect(try #require(machine.received(.synced).failed).statement == 0)
        _ = machine.received(.output(2))
        _ = machine.received(.endOfStep)
        let (job, outputs) = try #require(machine.received(.synced).completed)
        #expect(job == "b")
        #expect(outputs == [2])
    }

    @Test("preparing gives no output")
    func prepare() throws {
        var machine = Machine()
        machine.sent("a", steps: [.prepare(key), .execute(key)])
        _ = machine.received(.output(0))
        _ = machine.received(.endOfStep)
        _ = machine.received(.output(1))
        _ = machine.received(.endOfStep)
        #expect(try #require(machine.received(.synced).completed).1 == [1])
    }

    @Test("what could not be prepared, and what was skipped, is forgotten")
    func unprepared() throws {
        var machine = Machine()
        machine.sent("a", steps: [.execute(key), .prepare(other), .execute(other)])
        _ = machine.received(.failure(unique))
        _ = machine.received(.endOfStep)
        _ = machine.received(.aborted)
        _ = machine.received(.endOfStep)
        _ = machine.received(.aborted)
        _ = machine.received(.endOfStep)
        let failure = try #require(machine.received(.synced).failed)
        #expect(failure.unprepared == [other])
        #expect(failure.statement == 0)
        #expect(failure.outdated == nil)
    }

    @Test("the failing statement of several is named")
    func failingStatement() throws {
        var machine = Machine()
        machine.sent("a", steps: [.prepare(key), .execute(key), .prepare(other), .execute(other)])
        for _ in 0..<3 {
            _ = machine.received(.output(1))
            _ = machine.received(.endOfStep)
        }
        _ = machine.received(.failure(unique))
        _ = machine.received(.endOfStep)
        #expect(try #require(machine.received(.synced).failed).statement == 1)
    }

    @Test(
        "a statement that the server has lost or must plan anew is outdated",
        arguments: [SQLState.invalidSQLStatementName, .featureNotSupported]
    )
    func outdated(state: SQLState) throws {
        var machine = Machine()
        machine.sent("a", steps: [.execute(key)])
        _ = machine.received(.failure(PostgresError(.server(state), "gone")))
        _ = machine.received(.endOfStep)
        let failure = try #require(machine.received(.synced).failed)
        #expect(failure.outdated == key)

        machine.sent("a", steps: [.execute(nil)])
        _ = machine.received(.failure(PostgresError(.server(state), "gone")))
        _ = machine.received(.endOfStep)
        #expect(try #require(machine.received(.synced).failed).outdated == nil)
    }

    @Test("a lost connection gives back what was under way, oldest first, and no more")
    func lost() {
        var machine = Machine()
        machine.sent("a", steps: [.execute(key)])
        machine.sent(nil, steps: [.tidy])
        machine.sent("b", steps: [.execute(key)])
        #expect(machine.lost() == ["a", "b"])
        #expect(machine.isEmpty)
    }

    @Test("a result that nobody asked for breaks the connection up")
    func unexpected() {
        var machine = Machine()
        guard case .breakUp = machine.received(.output(1)) else {
            Issue.record("expected to break up")
            return
        }
    }
}

extension PipelineStateMachine.Action {
    fileprivate var isNone: Bool { if case .none = self { true } else { false } }

    fileprivate var completed: (PendingQuery?, [Output])? {
        if case .complete(let job, let outputs) = self { (job, outputs) } else { nil }
    }

    fileprivate var failed: PipelineStateMachine.Failure? {
        if case .fail(_, let failure) = self { failure } else { nil }
    }
}
