extension PooledConnection {
    /// Sends a job that this wire's turn has come to.
    func send(_ job: PendingQuery) {
        switch job.content.work {
        case .group(let queries): sendGroup(job, queries, prepared: true)
        case .script, .stream, .copyOut, .copyIn: sendSolo(job)
        }
    }

    /// Sends statements and their Sync. Unprepared, no state of the connection can get in their way.
    func sendGroup(_ job: PendingQuery?, _ queries: [Query], prepared: Bool) {
        guard isPipelining || enterPipeline() else { return lose(with: job) }
        var steps: [PipelineStateMachine<PendingQuery, Rows>.Step] = []
        steps.reserveCapacity(queries.count)
        tidy()
        for query in queries {
            guard prepared else {
                guard connection.sendUnprepared(query.text, query.binds, &scratch) else { return lose(with: job) }
                steps.append(.execute(nil))
                continue
            }
            let key = StatementCache.Key(query)
            let statement: StatementCache.Statement
            if let name = statements.name(of: key) {
                statement = .init(key: key, name: name)
            } else {
                let (name, evicted) = statements.insert(key)
                if let evicted { surplus.append(evicted) }
                statement = .init(key: key, name: name)
                guard connection.sendPrepare(name, query.text, query.binds) else { return lose(with: job) }
                steps.append(.prepare(statement))
            }
            guard connection.sendPrepared(statement.name, query.binds, &scratch) else { return lose(with: job) }
            steps.append(.execute(statement))
        }
        guard connection.queueSync() else { return lose(with: job) }
        if busySince == nil { busySince = .now }
        pipeline.sent(job, steps: steps)
        flush()
    }

    private func enterPipeline() -> Bool {
        isPipelining = connection.enterPipeline()
        return isPipelining
    }

    /// Lets the server forget statements that were evicted. In a Sync of its own: it must not fail with a job.
    private func tidy() {
        guard !surplus.isEmpty, connection.transaction == .idle || connection.transaction == .active else { return }
        for name in surplus {
            guard connection.sendUnprepared("DEALLOCATE \(name)", [], &scratch), connection.queueSync() else { return }
            pipeline.sent(nil, steps: [.tidy])
        }
        surplus = []
    }

    func flush() {
        switch connection.flush() {
        case true?: isFlushing = false
        case false?: isFlushing = true
        case nil: lose()
        }
    }
}
