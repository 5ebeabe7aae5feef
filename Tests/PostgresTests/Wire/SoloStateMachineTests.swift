import Testing

@testable import Postgres

@Suite("Solo state machine")
struct SoloStateMachineTests {
    private let failure = PostgresError(.server(.checkViolation), "no")

    @Test("a script is over at its end and reports its first error")
    func script() {
        var machine = SoloStateMachine(.script)
        _ = machine.received(.done(affectedRows: 1))
        _ = machine.received(.failure(failure))
        _ = machine.received(.failure(PostgresError(.server(.syntaxError), "later")))
        #expect(machine.received(.end).error?.sqlState == .checkViolation)
    }

    @Test("a stream delivers each row and may fail after some")
    func stream() {
        var machine = SoloStateMachine(.stream)
        guard case .deliver = machine.received(.row), case .deliver = machine.received(.row) else {
            Issue.record("rows are delivered")
            return
        }
        _ = machine.received(.failure(failure))
        #expect(machine.received(.end).error?.sqlState == .checkViolation)
    }

    @Test("COPY in: writing, then the count")
    func copyIn() throws {
        var machine = SoloStateMachine(.copyIn)
        guard case .startWriting = machine.received(.copyIn) else {
            Issue.record("writing begins")
            return
        }
        _ = machine.received(.done(affectedRows: 17))
        guard case .finish(.success(17)) = machine.received(.end) else {
            Issue.record("the count is passed on")
            return
        }
    }

    @Test("COPY out: what is set before it is no end, and reading begins with it")
    func copyOut() throws {
        var machine = SoloStateMachine(.copyOut)
        guard case .none = machine.received(.done(affectedRows: 1)), case .startReading = machine.received(.copyOut)
        else {
            Issue.record("reading begins")
            return
        }
        _ = machine.received(.done(affectedRows: 17))
        guard case .finish(.success) = machine.received(.end) else {
            Issue.record("it ends well")
            return
        }
    }

    @Test(
        "a statement that is no COPY is an error for copyOut and copyIn",
        arguments: [SoloStateMachine.Kind.copyIn, .copyOut]
    )
    func noCopy(kind: SoloStateMachine.Kind) {
        var machine = SoloStateMachine(kind)
        _ = machine.received(.done(affectedRows: 1))
        #expect(machine.received(.end).error?.code == .protocolViolation)
    }

    @Test("a COPY in a script or stream breaks the connection up", arguments: [SoloStateMachine.Kind.script, .stream])
    func strayCopy(kind: SoloStateMachine.Kind) {
        var machine = SoloStateMachine(kind)
        guard case .breakUp = machine.received(.copyIn) else {
            Issue.record("nobody feeds this COPY")
            return
        }
    }
}

extension SoloStateMachine.Action {
    fileprivate var error: PostgresError? {
        if case .finish(.failure(let error)) = self { error } else { nil }
    }
}
