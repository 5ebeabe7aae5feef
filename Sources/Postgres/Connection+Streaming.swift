extension Connection {
    /// Runs a statement and hands its rows on as they arrive. When the consumer lags, the server waits.
    ///
    /// A consumer that stops early has the server cancel the statement, which spoils an open transaction.
    package func stream(
        _ query: Query,
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws -> RowStream {
        try query.validate()
        try await beginIfPending()
        try checkLoan()
        let (id, inbox) = (id, inbox)
        let buffer = StreamBuffer<Row>(capacity: 512) { inbox.post(.attend(id)) }
        let job = PendingQuery(
            JobContent(.stream(query, buffer), deadline: timeout.map { .now + $0 }, file: file, line: line)
        )
        inbox.post(.perform(job, id))
        return RowStream(reader: StreamReader(buffer: buffer) { inbox.post(.interrupt(job, id, .cancelled)) })
    }

    /// Runs `COPY … TO STDOUT` and hands on its bytes in pieces of about 64 kB. When the consumer lags, the server waits.
    ///
    /// A consumer that stops early has the server cancel the COPY, which spoils an open transaction.
    package func copyOut(
        _ query: Query,
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws -> CopyStream {
        try await copyOut(query, shownAs: nil, timeout: timeout, file: file, line: line)
    }

    private func copyOut(
        _ query: Query,
        shownAs shownText: String?,
        timeout: Duration?,
        file: String,
        line: Int
    ) async throws -> CopyStream {
        try query.validate()
        guard query.binds.isEmpty else { throw PostgresError(.encoding, "COPY takes no binds") }
        try await beginIfPending()
        try checkLoan()
        let (id, inbox) = (id, inbox)
        // Two megabytes: a consumer that is not scheduled for some milliseconds does not make the server wait.
        let buffer = StreamBuffer<[UInt8]>(capacity: 32) { inbox.post(.attend(id)) }
        let job = PendingQuery(
            JobContent(
                .copyOut(query, buffer),
                deadline: timeout.map { .now + $0 },
                shownText: shownText,
                file: file,
                line: line
            )
        )
        inbox.post(.perform(job, id))
        return CopyStream(reader: StreamReader(buffer: buffer) { inbox.post(.interrupt(job, id, .cancelled)) })
    }

    /// Runs `COPY (…) TO STDOUT` of a query that has binds, which COPY itself does not take: the server writes each as a literal
    /// first. Errors show the query with its binds, for a literal may be what somebody searched for.
    ///
    /// - Parameters:
    ///   - options: the form of the rows: `FORMAT csv`.
    ///   - settings: a statement without binds that comes before it. Outside a transaction the two are one of their own, which
    ///     the server ends behind the last row that it sends, however late that is read here.
    package func copyOut(
        rows query: Query,
        options: Query,
        after settings: Query? = nil,
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws -> CopyStream {
        try query.validate()
        var literals: [String] = []
        if !query.binds.isEmpty, let row = try await self.query(query.literals).first {
            literals = try query.binds.indices.map { try row.decode($0) }
        }
        let beginning: Query = settings.map { "\($0); " as Query } ?? ""
        let copied: Query = "\(beginning)COPY (\(query)) TO STDOUT WITH (\(options))"
        return try await copyOut(
            "\(beginning)COPY (\(query.inlining(literals))) TO STDOUT WITH (\(options))",
            shownAs: copied.text,
            timeout: timeout,
            file: file,
            line: line
        )
    }

    /// Runs `COPY … FROM STDIN` with what the body writes; returns how many rows went in.
    ///
    /// A body that throws leaves the table as it was.
    package func copyIn(
        _ query: Query,
        file: String = #fileID,
        line: Int = #line,
        _ body: (CopyWriter) async throws -> Void
    ) async throws -> Int {
        try query.validate()
        guard query.binds.isEmpty else { throw PostgresError(.encoding, "COPY takes no binds") }
        try await beginIfPending()
        let (id, inbox) = (id, inbox)
        let buffer = CopyBuffer { inbox.post(.attend(id)) }
        let job = PendingQuery(JobContent(.copyIn(query, buffer), file: file, line: line))
        try checkLoan()
        inbox.post(.perform(job, id))
        return try await withTaskCancellationHandler {
            do {
                try await body(CopyWriter(buffer: buffer))
                buffer.end(failing: nil)
            } catch {
                buffer.end(failing: "the writer failed")
                _ = try? await job.answer()
                throw error
            }
            _ = try await job.answer()
            return buffer.affectedRows
        } onCancel: {
            inbox.post(.interrupt(job, id, .cancelled))
        }
    }
}

/// Writes the rows of a COPY in, in the format that the statement names.
package struct CopyWriter: Sendable {
    fileprivate let buffer: CopyBuffer

    /// Returns when there is room for more; a row may be split over several writes.
    package func write(_ bytes: [UInt8]) async throws {
        try await buffer.write(bytes)
    }
}

/// The rows of a statement, each once.
package struct RowStream: AsyncSequence, Sendable {
    fileprivate let reader: StreamReader<Row>

    package func makeAsyncIterator() -> Iterator {
        Iterator(reader: reader)
    }

    /// Reads rows; one at a time from a batch that is already here.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: StreamReader<Row>
        private var batch: [Row] = []
        private var position = 0

        fileprivate init(reader: StreamReader<Row>) {
            self.reader = reader
        }

        package mutating func next() async throws -> Row? {
            if position == batch.count {
                guard let next = try await reader.next() else { return nil }
                batch = next
                position = 0
            }
            defer { position += 1 }
            return batch[position]
        }
    }
}

/// The bytes of a COPY out, each once.
package struct CopyStream: AsyncSequence, Sendable {
    fileprivate let reader: StreamReader<[UInt8]>

    package func makeAsyncIterator() -> Iterator {
        Iterator(reader: reader)
    }

    /// Reads pieces of about 64 kB.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: StreamReader<[UInt8]>
        private var pieces: ArraySlice<[UInt8]> = []

        fileprivate init(reader: StreamReader<[UInt8]>) {
            self.reader = reader
        }

        package mutating func next() async throws -> [UInt8]? {
            if pieces.isEmpty { pieces = ArraySlice(try await reader.next() ?? []) }
            return pieces.popFirst()
        }
    }
}

/// The reading end of a stream; when nobody holds it any more the stream is cancelled.
final class StreamReader<Element: Sendable>: Sendable {
    private let buffer: StreamBuffer<Element>
    private let cancel: @Sendable () -> Void

    init(buffer: StreamBuffer<Element>, cancel: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.cancel = cancel
    }

    deinit {
        abandon()
    }

    func next() async throws -> [Element]? {
        try await withTaskCancellationHandler {
            try await buffer.next()
        } onCancel: {
            abandon()
        }
    }

    private func abandon() {
        if buffer.abandon() { cancel() }
    }
}
