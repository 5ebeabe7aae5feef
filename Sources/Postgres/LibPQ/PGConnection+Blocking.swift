import CLibPQ
import Foundation

/// Calls that wait for the network; never made on a cooperative thread.
extension PGConnection {
    /// Runs a script and blocks, for `limit` at most; never call it on a cooperative thread.
    func executeBlocking(_ script: String, within limit: Duration?) throws(PostgresError) {
        let failure = try resultsBlocking(script, within: limit).first { $0.status == .failed }?.message
        if let failure { throw PostgresError(.connectionFailed, failure.primary, server: failure) }
        guard isAlive else { throw PostgresError(.connectionFailed, errorMessage) }
    }

    private func resultsBlocking(_ script: String, within limit: Duration?) throws(PostgresError) -> [PGResult] {
        guard PQsendQuery(raw, script) == 1 else { throw PostgresError(.connectionFailed, errorMessage) }
        let end = limit.map { ContinuousClock.now + $0 }
        var results: [PGResult] = []
        while true {
            while isBusy {
                guard waitForInput(until: end) else {
                    throw PostgresError(.connectionFailed, "the server took the connection and does not answer")
                }
                guard consumeInput() else { throw PostgresError(.connectionFailed, errorMessage) }
            }
            guard let result = nextResult() else { return results }
            results.append(result)
        }
    }

    private func waitForInput(until end: ContinuousClock.Instant?) -> Bool {
        while true {
            let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
            // safe: the program's own limits, of seconds
            let milliseconds = left.map { Int32(clamping: Int64(($0 / .milliseconds(1)).rounded(.up))) } ?? -1
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, milliseconds)
            if count > 0 { return true }
            guard count < 0, errno == EINTR else { return false }
        }
    }

    /// The first cell of a query, and blocks, for `limit` at most; only for the thread that opens connections.
    ///
    /// - Returns: nil when the server refuses the query, which it may do to a role; a nil inside for NULL.
    func textBlocking(_ query: String, within limit: Duration) throws(PostgresError) -> String?? {
        let results = try resultsBlocking(query, within: limit)
        guard isAlive else { throw PostgresError(.connectionFailed, errorMessage) }
        guard let result = results.first, result.status == .rows, result.rowCount == 1 else { return nil }
        return .some(result.firstText)
    }

    /// From here on no call waits for the network.
    func stopBlocking() -> Bool { PQsetnonblocking(raw, 1) == 0 }
}
