/// A command outside the pipeline, as far as it has come.
final class UnpipelinedCommand {
    let job: PendingQuery
    var machine: SoloStateMachine
    var progress = SoloProgress(askedAt: .now)
    var phase = Phase.results
    /// Rows of a COPY that are not passed on yet.
    var chunk: [UInt8] = []
    /// Bytes of a COPY in that libpq had no room for.
    var unsent: [UInt8]?
    /// Nobody wants the rest.
    var isDiscarding = false

    init(job: PendingQuery, kind: SoloStateMachine.Kind) {
        self.job = job
        machine = SoloStateMachine(kind)
    }

    enum Phase {
        case results
        case reading
        case writing
    }

    /// The bytes of a COPY that are passed on at a time.
    static let chunkSize = 64 * 1024
    /// The rows of a stream that are passed on at a time.
    static let batchSize = 64
}

// Scripts, streams and COPY.
extension PooledConnection {
    func sendSolo(_ job: PendingQuery) {
        if isPipelining {
            guard connection.exitPipeline() else { return lose(with: job) }
            isPipelining = false
        }
        let isSent: Bool
        switch job.content.work {
        case .group:
            preconditionFailure("a group is sent in the pipeline")  // safe: the queue keeps groups apart
        case .script(let text):
            solo = UnpipelinedCommand(job: job, kind: .script)
            isSent = connection.sendScript(text)
        case .stream(let query, _):
            solo = UnpipelinedCommand(job: job, kind: .stream)
            isSent = connection.sendUnprepared(query.text, query.binds, &scratch) && connection.useSingleRowMode()
        case .copyOut(let query, _):
            solo = UnpipelinedCommand(job: job, kind: .copyOut)
            // By the simple protocol: it takes what is set for the COPY, and the COPY, as one text and one transaction.
            isSent = connection.sendScript(query.text)
        case .copyIn(let query, _):
            solo = UnpipelinedCommand(job: job, kind: .copyIn)
            // By the simple protocol: the other one has a Sync before the data and one after it, and a server that fails before it
            // has read the first answers both. The second answer would then be taken for the next query's.
            isSent = connection.sendScript(query.text)
        }
        guard isSent else { return lose(with: job) }
        flush()
    }

    /// The consumer has room again, or the writer has something to send.
    func attendSolo() {
        guard !isLost, let solo else { return }
        // Until now the server could send nothing.
        if isReadingPaused { solo.progress.heard(at: .now) }
        isReadingPaused = false
        receive()
    }

    /// Returns the time at which the server counts as stuck with a stream or a COPY; nil while it waits for us, and for a script,
    /// which shows no progress.
    func soloDeadline(_ limits: SoloProgress.Limits) -> ContinuousClock.Instant? {
        guard let solo, solo.machine.kind != .script, interruption == nil, !isReadingPaused else { return nil }
        // The server has taken all that there is of a COPY in.
        if solo.phase == .writing, !isFlushing { return nil }
        return solo.progress.deadline(limits)
    }

    /// Throws away what still comes for the current command.
    func discardSolo(_ error: PostgresError) {
        guard solo != nil else { return }
        solo?.isDiscarding = true
        if case .copyIn(_, let buffer)? = solo?.job.content.work {
            buffer.fail(error)
            buffer.end(failing: error.message)
        }
        isReadingPaused = false
        receive()
    }

    func receiveSolo() {
        guard let solo else { return }
        var batch: [Row] = []
        while !isLost {
            switch solo.phase {
            case .reading:
                guard readCopy(solo) else { return }
                continue
            case .writing:
                guard writeCopy(solo) else { return }
                continue
            case .results:
                break
            }
            guard !connection.isBusy else { break }
            let result = connection.nextResult()
            switch solo.machine.received(event(of: result)) {
            case .none: break
            case .deliver:
                solo.progress.gotRow()
                if let result { batch.append(Row(result: result, index: 0)) }
            case .startReading:
                solo.phase = .reading
            case .startWriting:
                solo.phase = .writing
                solo.progress.gotRow()
            case .breakUp(let error): return lose(error)
            case .finish(let outcome):
                deliver(&batch, of: solo)
                return finish(solo, outcome)
            }
            guard batch.count >= UnpipelinedCommand.batchSize else { continue }
            deliver(&batch, of: solo)
            guard !isReadingPaused else { return }
        }
        deliver(&batch, of: solo)
    }

    private func event(of result: PGResult?) -> SoloStateMachine.Event {
        guard let result else { return .end }
        switch result.status {
        case .done, .rows: return .done(affectedRows: result.affectedRows)
        case .singleRow: return .row
        case .copyOut: return .copyOut
        case .copyIn: return .copyIn
        case .failed, .aborted, .synced, .unexpected: return .failure(PostgresError(server: result.message))
        }
    }

    /// Passes rows on; when the consumer is behind, reading pauses.
    private func deliver(_ batch: inout [Row], of solo: UnpipelinedCommand) {
        defer { batch.removeAll(keepingCapacity: true) }
        guard !batch.isEmpty, !solo.isDiscarding, case .stream(_, let buffer) = solo.job.content.work else { return }
        isReadingPaused = !buffer.append(batch)
    }

    /// Reads rows of a COPY; false when there is nothing to read for now.
    private func readCopy(_ solo: UnpipelinedCommand) -> Bool {
        guard case .copyOut(_, let buffer) = solo.job.content.work else { return false }
        while true {
            switch connection.copyRow(into: &solo.chunk) {
            case .row:
                solo.progress.gotRow()
                guard solo.chunk.count >= UnpipelinedCommand.chunkSize else { continue }
                passOnChunk(of: solo, to: buffer)
                guard !isReadingPaused else { return false }
            case .wouldBlock:
                return false
            case .ended:
                passOnChunk(of: solo, to: buffer)
                isReadingPaused = false
                solo.phase = .results
                return true
            case .lost:
                solo.phase = .results
                return true
            }
        }
    }

    private func passOnChunk(of solo: UnpipelinedCommand, to buffer: StreamBuffer<[UInt8]>) {
        guard !solo.chunk.isEmpty else { return }
        let chunk = solo.chunk
        solo.chunk = []
        guard !solo.isDiscarding else { return }
        solo.chunk.reserveCapacity(chunk.count)
        isReadingPaused = !buffer.append([chunk])
    }

    /// Sends what was written; false when there is nothing to send, or no room for it.
    private func writeCopy(_ solo: UnpipelinedCommand) -> Bool {
        guard case .copyIn(_, let buffer) = solo.job.content.work else { return false }
        while !isLost, !isFlushing {
            if let unsent = solo.unsent {
                put(unsent, of: solo)
                continue
            }
            switch buffer.take() {
            case .chunk(let bytes):
                put(bytes, of: solo)
            case .nothingYet:
                return false
            case .end(let reason):
                guard connection.endCopy(failing: reason) != nil else {
                    lose()
                    return false
                }
                solo.phase = .results
                solo.progress.askedForEnd(at: .now)
                flush()
                return true
            }
        }
        return false
    }

    private func put(_ bytes: [UInt8], of solo: UnpipelinedCommand) {
        // It had taken everything before.
        solo.progress.heard(at: .now)
        switch connection.putCopy(bytes) {
        case true?:
            solo.unsent = nil
            flush()
        case false?:
            solo.unsent = bytes
            isFlushing = true
        case nil:
            lose()
        }
    }

    private func finish(_ solo: UnpipelinedCommand, _ outcome: Result<Int, PostgresError>) {
        self.solo = nil
        isReadingPaused = false
        switch outcome {
        case .failure(let error) where error.code == .connectionLost:
            lose(error, with: solo.job)
        case .failure(let error):
            finishCurrent(.failure(error))
        case .success(let count):
            solo.job.succeed(affectedRows: count)
            finishCurrent(.success([]))
        }
    }
}
