/// Follows one command outside a pipeline: a script, a stream of rows, a COPY. It is over when libpq has no more results.
struct SoloStateMachine {
    enum Kind {
        case script
        case stream
        case copyOut
        case copyIn
    }

    enum Event {
        /// A statement succeeded.
        case done(affectedRows: Int)
        case row
        case copyOut
        case copyIn
        case failure(PostgresError)
        case end
    }

    enum Action {
        case none
        case deliver
        case startReading
        case startWriting
        case finish(Result<Int, PostgresError>)
        /// A COPY that nobody is there to feed or drain: only closing the connection ends it.
        case breakUp(PostgresError)
    }

    let kind: Kind
    private var isCopying = false
    private var affectedRows = 0
    private var failure: PostgresError?

    init(_ kind: Kind) {
        self.kind = kind
    }

    mutating func received(_ event: Event) -> Action {
        switch (event, kind) {
        case (.done(let count), _):
            affectedRows = count
            return .none
        case (.row, .stream):
            return .deliver
        case (.row, .script), (.row, .copyOut), (.row, .copyIn):
            return .none
        case (.copyOut, .copyOut):
            isCopying = true
            return .startReading
        case (.copyIn, .copyIn) where !isCopying:
            isCopying = true
            return .startWriting
        case (.copyOut, _), (.copyIn, _):
            return .breakUp(PostgresError(.protocolViolation, "a COPY can only be run by copyIn and copyOut"))
        case (.failure(let error), _):
            failure = failure ?? error
            return .none
        case (.end, _):
            return .finish(outcome)
        }
    }

    private var outcome: Result<Int, PostgresError> {
        if let failure { return .failure(failure) }
        switch kind {
        case .script, .stream:
            return .success(affectedRows)
        case .copyOut, .copyIn:
            guard isCopying else { return .failure(PostgresError(.protocolViolation, "the statement is no such COPY")) }
            return .success(affectedRows)
        }
    }
}
