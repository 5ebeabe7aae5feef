/// Work for one connection.
struct JobContent: Sendable {
    enum Work: Sendable {
        /// Statements of one round trip: they share one Sync, so outside a transaction they commit or fail together.
        case group([Query])
        /// Several statements as one text without binds; results are thrown away.
        case script(String)
        /// One statement whose rows are passed on as they come.
        case stream(Query, StreamBuffer<Row>)
        case copyOut(Query, StreamBuffer<[UInt8]>)
        case copyIn(Query, CopyBuffer)
    }

    let work: Work
    let createdAt: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant?
    /// False for the end of a transaction: a COMMIT that is cancelled while it waits for a standby has committed here all the
    /// same, and says that it succeeded.
    let mayBeCancelled: Bool
    /// The text that errors show in place of one that has values in it.
    let shownText: String?
    let file: String
    let line: Int

    init(
        _ work: Work,
        deadline: ContinuousClock.Instant? = nil,
        mayBeCancelled: Bool = true,
        shownText: String? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.work = work
        self.deadline = deadline
        self.mayBeCancelled = mayBeCancelled
        self.shownText = shownText
        self.file = file
        self.line = line
        createdAt = .now
    }

    /// True if the caller waits for the end of it, and not for row after row.
    var answersAtOnce: Bool {
        switch work {
        case .group, .script: true
        case .stream, .copyOut, .copyIn: false
        }
    }

    /// The text that an error should show.
    func text(failedStatement index: Int?) -> String {
        if let shownText { return shownText }
        return switch work {
        case .group(let queries): queries[min(index ?? 0, queries.count - 1)].text
        case .script(let text): text
        case .stream(let query, _), .copyOut(let query, _), .copyIn(let query, _): query.text
        }
    }
}

typealias PendingQuery = Request<JobContent, [Rows]>
typealias LeaseRequest = Request<ContinuousClock.Instant, Connection>

extension Request where Content == JobContent, Answer == [Rows] {
    /// Ends a job that runs outside the pipeline well.
    func succeed(affectedRows: Int) {
        switch content.work {
        case .group, .script: break
        case .stream(_, let buffer): buffer.finish()
        case .copyOut(_, let buffer): buffer.finish()
        case .copyIn(_, let buffer): buffer.complete(affectedRows: affectedRows)
        }
    }

    /// Ends the job and whatever is attached to it, with the query's text and the caller's place in the error.
    func fail(_ error: PostgresError, statement: Int? = nil) {
        var error = error
        error.queryText = error.queryText ?? content.text(failedStatement: statement)
        error.file = content.file
        error.line = content.line
        switch content.work {
        case .group, .script: break
        case .stream(_, let buffer): buffer.finish(throwing: error)
        case .copyOut(_, let buffer): buffer.finish(throwing: error)
        case .copyIn(_, let buffer): buffer.fail(error)
        }
        finish(.failure(error))
    }
}
