/// Sorts the results that arrive on a pipelined connection into the groups that were sent, one Sync each.
///
/// A group is over at its Sync and not before: a deferred constraint is checked after the statement's own
/// `COMMAND_OK`, and its error comes as a second result.
struct PipelineStateMachine<PendingQuery, Output> {
    enum Step: Hashable {
        case prepare(StatementCache.Statement)
        /// Runs a prepared statement, or one that was sent with its text.
        case execute(StatementCache.Statement?)
        /// A statement whose result nobody wants.
        case tidy
    }

    enum Event {
        case output(Output)
        case failure(PostgresError)
        /// A step was skipped because one before it failed.
        case aborted
        /// A step has no more results.
        case endOfStep
        case synced
    }

    enum Action {
        case none
        case complete(PendingQuery?, [Output])
        case fail(PendingQuery?, Failure)
        /// The server sent what no group of ours explains.
        case breakUp
    }

    /// The failure of a group, and the prepared statements to forget for it.
    struct Failure {
        var error: PostgresError
        /// The index of the job's statement that failed, from 0.
        var statement: Int
        /// Statements that were to be prepared in this group, and were not.
        var unprepared: [StatementCache.Statement]
        /// The statement that the server no longer knows or can no longer run as it was prepared.
        var outdated: StatementCache.Statement?
    }

    private struct Group {
        let job: PendingQuery?
        let steps: [Step]
        var position = 0
        var outputs: [Output] = []
        var failure: (error: PostgresError, step: Int)?

        var currentStep: Step? { position < steps.count ? steps[position] : nil }

        var outcome: Action {
            guard let failure else { return .complete(job, outputs) }
            let unprepared: [StatementCache.Statement] = steps[failure.step...].compactMap {
                if case .prepare(let statement) = $0 { statement } else { nil }
            }
            var outdated: StatementCache.Statement?
            if case .execute(let statement?) = steps[failure.step],
                failure.error.sqlState == .invalidSQLStatementName || failure.error.sqlState == .featureNotSupported
            {
                outdated = statement
            }
            let statement = steps[..<failure.step].count { if case .execute = $0 { true } else { false } }
            return .fail(
                job,
                .init(
                    error: failure.error,
                    statement: statement,
                    unprepared: unprepared,
                    outdated: outdated
                )
            )
        }
    }

    private var groups = FIFO<Group>()

    var isEmpty: Bool { groups.isEmpty }

    mutating func sent(_ job: PendingQuery?, steps: [Step]) {
        groups.append(Group(job: job, steps: steps))
    }

    mutating func received(_ event: Event) -> Action {
        guard !groups.isEmpty else { return .breakUp }
        switch event {
        case .output(let output):
            groups.updateFirst { group in
                guard case .execute? = group.currentStep else { return }
                group.outputs.append(output)
            }
            return .none
        case .failure(let error):
            groups.updateFirst { group in
                guard group.failure == nil else { return }
                group.failure = (error, min(group.position, group.steps.count - 1))
            }
            return .none
        case .aborted:
            return .none
        case .endOfStep:
            groups.updateFirst { $0.position += 1 }
            return .none
        case .synced:
            return groups.popFirst().map(\.outcome) ?? .breakUp
        }
    }

    /// The connection is gone: everything that was under way, oldest first.
    mutating func lost() -> [PendingQuery] {
        groups.removeAll().compactMap(\.job)
    }
}
