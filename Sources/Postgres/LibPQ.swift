import CLibPQ
import Foundation

// The only file that calls C. A `PGConnection` is not Sendable: one thread creates it, hands it over once, and one
// thread uses it. A `PGResult` never changes after it was made, so it may be read anywhere.

/// An open (or failed) connection of libpq, in non-blocking mode after `open`.
final class PGConnection {
    private let raw: OpaquePointer
    private let notices: NoticeBox
    /// Where the server stood when the connection was opened; nil where nobody asked, or it does not say.
    var server: ServerPosition?

    /// Connects and blocks until it is done or failed; never call it on a cooperative thread.
    static func open(
        _ parameters: [(keyword: String, value: String)],
        onNotice: @escaping @Sendable (ServerMessage) -> Void
    ) throws(PostgresError) -> PGConnection {
        var keywords = parameters.map { UnsafePointer(strdup($0.keyword)) } + [nil]
        var values = parameters.map { UnsafePointer(strdup($0.value)) } + [nil]
        defer { for pointer in keywords + values { free(UnsafeMutablePointer(mutating: pointer)) } }
        guard let raw = PQconnectdbParams(&keywords, &values, 1) else {
            throw PostgresError(.connectionFailed, "out of memory")
        }
        let connection = PGConnection(raw: raw, notices: NoticeBox(handler: onNotice))
        guard PQstatus(raw) == CONNECTION_OK else {
            var failure = PostgresError(.connectionFailed, connection.errorMessage)
            failure.sqlState = connection.ownRefusal
            throw failure
        }
        return connection
    }

    /// The code for what libpq refuses by itself; nil when the server refuses, or does not answer.
    private var ownRefusal: SQLState? {
        if PQconnectionNeedsPassword(raw) == 1 { return .invalidPassword }
        return ConnectionParameters.areRefused(by: errorMessage) ? .clientUnableToConnect : nil
    }

    /// Connects once more and blocks, to learn the code with which the server refuses; libpq tells it in the text of a
    /// verbose connection only. nil when the server did not refuse, or did not answer within five seconds.
    static func refusal(_ parameters: [(keyword: String, value: String)]) -> SQLState? {
        var keywords = parameters.map { UnsafePointer(strdup($0.keyword)) } + [nil]
        var values = parameters.map { UnsafePointer(strdup($0.value)) } + [nil]
        defer { for pointer in keywords + values { free(UnsafeMutablePointer(mutating: pointer)) } }
        guard let raw = PQconnectStartParams(&keywords, &values, 1) else { return nil }
        defer { PQfinish(raw) }
        PQsetErrorVerbosity(raw, PQERRORS_SQLSTATE)
        let end = ContinuousClock.now + .seconds(5)
        var events = Int16(POLLOUT)
        while PQstatus(raw) != CONNECTION_BAD, ContinuousClock.now < end {
            var socket = pollfd(fd: PQsocket(raw), events: events, revents: 0)
            guard poll(&socket, 1, 1_000) >= 0 || errno == EINTR else { return nil }
            guard socket.revents != 0 else { continue }
            switch PQconnectPoll(raw) {
            case PGRES_POLLING_READING: events = Int16(POLLIN)
            case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
            case PGRES_POLLING_OK: return nil
            default: break
            }
        }
        let code = trimmed(PQerrorMessage(raw)).suffix(7)
        guard code.hasPrefix("  "), code.dropFirst(2).allSatisfy({ $0.isASCII && ($0.isNumber || $0.isUppercase) })
        else { return nil }
        return SQLState(String(code.dropFirst(2)))
    }

    /// The hosts of a connection string that names several, each with what overrides the string to reach it alone.
    static func hosts(of connectionString: String) -> [[(keyword: String, value: String)]] {
        guard let options = PQconninfoParse(connectionString, nil) else { return [] }
        defer { PQconninfoFree(options) }
        var named: [String: [String]] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                let values = String(cString: value).split(separator: ",", omittingEmptySubsequences: false)
                named[String(cString: keyword)] = values.map(String.init)
            }
            option += 1
        }
        let count = max(named["host"]?.count ?? 0, named["hostaddr"]?.count ?? 0)
        guard count > 1 else { return [] }
        return (0..<count).map { index in
            ["host", "hostaddr", "port"].compactMap { keyword in
                // One port may stand for all hosts.
                guard let values = named[keyword], let value = values.count == 1 ? values[0] : values[safe: index]
                else {
                    return nil
                }
                return (keyword, value)
            }
        }
    }

    private init(raw: OpaquePointer, notices: NoticeBox) {
        self.raw = raw
        self.notices = notices
        PQsetNoticeReceiver(
            raw,
            { context, result in
                guard let context, let result else { return }
                let box = Unmanaged<NoticeBox>.fromOpaque(context).takeUnretainedValue()
                box.handler(ServerMessage(reading: result))
            },
            Unmanaged.passUnretained(notices).toOpaque()
        )
    }

    deinit {
        PQfinish(raw)
    }

    var socket: Int32 { PQsocket(raw) }
    var isAlive: Bool { PQstatus(raw) == CONNECTION_OK }
    var backendProcessID: Int32 { PQbackendPID(raw) }
    var errorMessage: String { trimmed(PQerrorMessage(raw)) }
    var isBusy: Bool { PQisBusy(raw) != 0 }

    var transaction: TransactionStatus {
        switch PQtransactionStatus(raw) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INTRANS: .open
        case PQTRANS_INERROR: .failed
        case PQTRANS_ACTIVE: .active
        default: .unknown
        }
    }

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

    // MARK: Sending. False means that the connection is lost or cannot take the command; see `errorMessage`.

    func enterPipeline() -> Bool { PQenterPipelineMode(raw) == 1 }
    func exitPipeline() -> Bool { PQexitPipelineMode(raw) == 1 }
    func queueSync() -> Bool { clibpq_queue_sync(raw) == 1 }
    func sendScript(_ text: String) -> Bool { PQsendQuery(raw, text) == 1 }
    func useSingleRowMode() -> Bool { PQsetSingleRowMode(raw) == 1 }

    func sendPrepare(_ name: String, _ text: String, _ binds: [Bind]) -> Bool {
        let types = binds.map(\.type.rawValue)
        return PQsendPrepare(raw, name, text, Int32(types.count), types) == 1  // safe: as many as a query writes
    }

    func sendPrepared(_ name: String, _ binds: [Bind], _ scratch: inout BindScratch) -> Bool {
        scratch.withParameters(binds) { count, values, lengths, formats, _ in
            PQsendQueryPrepared(raw, name, count, values, lengths, formats, 1) == 1
        }
    }

    func sendUnprepared(_ text: String, _ binds: [Bind], _ scratch: inout BindScratch) -> Bool {
        scratch.withParameters(binds) { count, values, lengths, formats, types in
            PQsendQueryParams(raw, text, count, types, values, lengths, formats, 1) == 1
        }
    }

    /// True when everything is sent, false when the socket must become writable first, nil when the connection is lost.
    func flush() -> Bool? {
        switch PQflush(raw) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    // MARK: Receiving

    func consumeInput() -> Bool { PQconsumeInput(raw) == 1 }
    func nextResult() -> PGResult? { PQgetResult(raw).map(PGResult.init) }

    func nextNotification() -> PostgresNotification? {
        guard let notification = PQnotifies(raw) else { return nil }
        defer { PQfreemem(notification) }
        let content = notification.pointee
        return .message(
            channel: String(cString: content.relname),
            payload: String(cString: content.extra),
            processID: content.be_pid
        )
    }

    // MARK: COPY

    enum CopyProgress {
        case row
        case wouldBlock
        case ended
        case lost
    }

    /// Appends the next row of a COPY out, if one is there.
    func copyRow(into bytes: inout [UInt8]) -> CopyProgress {
        var buffer: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(raw, &buffer, 1)
        defer { PQfreemem(buffer) }
        switch count {
        case 0: return .wouldBlock
        case -1: return .ended
        case let length where length > 0:
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: buffer, count: Int(length)))
            return .row
        default: return .lost
        }
    }

    /// True when taken, false when the socket must become writable first, nil when the connection is lost.
    func putCopy(_ bytes: [UInt8]) -> Bool? {
        let outcome = bytes.withUnsafeBytes {
            // safe: a piece of a file, of some kilobytes
            PQputCopyData(raw, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        return outcome < 0 ? nil : outcome == 1
    }

    /// Ends a COPY in; with a reason the server throws the rows away and reports it.
    func endCopy(failing reason: String?) -> Bool? {
        let outcome = PQputCopyEnd(raw, reason)
        return outcome < 0 ? nil : outcome == 1
    }

    func cancelHandle() -> PGCancel? { PQgetCancel(raw).map(PGCancel.init) }
}

/// What the server believes about the transaction of a connection.
enum TransactionStatus {
    case idle
    case open
    case failed
    case active
    case unknown
}

/// Permission to cancel what a connection runs; names the backend, not the query.
final class PGCancel: @unchecked Sendable {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) {
        self.raw = raw
    }

    deinit {
        PQfreeCancel(raw)
    }

    /// Opens a connection of its own and blocks until the server has taken the request.
    func sendBlocking() {
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(raw, &message, Int32(message.count))  // safe: made above
    }
}

/// A result of libpq. Sendable because libpq's getters never change it and it is cleared only when nobody holds it.
final class PGResult: @unchecked Sendable {
    enum Status {
        case done
        case rows
        case singleRow
        case copyOut
        case copyIn
        case failed
        case synced
        case aborted
        case unexpected
    }

    private let raw: OpaquePointer
    let status: Status
    let rowCount: Int
    let columnCount: Int

    fileprivate init(_ raw: OpaquePointer) {
        self.raw = raw
        status = Status(PQresultStatus(raw))
        rowCount = Int(PQntuples(raw))
        columnCount = Int(PQnfields(raw))
    }

    deinit {
        PQclear(raw)
    }

    var message: ServerMessage { ServerMessage(reading: raw) }
    var affectedRows: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }
    var commandTag: String { String(cString: PQcmdStatus(raw)) }

    /// The first cell of what was asked for as text; nil for NULL.
    var firstText: String? {
        guard PQgetisnull(raw, 0, 0) == 0, let value = PQgetvalue(raw, 0, 0) else { return nil }
        return String(cString: value)
    }

    // safe: as many columns as a query has
    func columnName(_ column: Int) -> String { PQfname(raw, Int32(column)).map { String(cString: $0) } ?? "?" }

    func column(named name: String) -> Int? {
        // safe: columns, as above
        (0..<columnCount).first { PQfname(raw, Int32($0)).map { strcmp($0, name) == 0 } ?? false }
    }

    /// A look at one cell. It holds on to this result, so its bytes, which are not aligned, live as long as it does.
    @inline(__always)
    func cell(row: Int, column: Int) -> Cell {
        let (row, position) = (Int32(row), Int32(column))  // safe: libpq counts both so itself
        let length = Int(PQgetlength(raw, row, position))
        // NULL has no bytes, and most of what has some is asked no more.
        let isNull = length == 0 && PQgetisnull(raw, row, position) != 0
        let bytes = UnsafeRawBufferPointer(start: PQgetvalue(raw, row, position), count: length)
        return Cell(
            type: PostgresType(rawValue: PQftype(raw, position)),
            bytes: isNull ? nil : bytes,
            result: self,
            column: column
        )
    }
}

extension PGResult.Status {
    fileprivate init(_ status: ExecStatusType) {
        switch status {
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: self = .done
        case PGRES_TUPLES_OK: self = .rows
        case PGRES_SINGLE_TUPLE: self = .singleRow
        case PGRES_COPY_OUT: self = .copyOut
        case PGRES_COPY_IN: self = .copyIn
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: self = .failed
        case PGRES_PIPELINE_SYNC: self = .synced
        case PGRES_PIPELINE_ABORTED: self = .aborted
        default: self = .unexpected
        }
    }
}

extension ServerMessage {
    fileprivate init(reading result: OpaquePointer) {
        func field(_ code: Character) -> String? {
            PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }  // safe: wider
        }
        // The codes of PG_DIAG_*, which are character macros and do not reach Swift.
        self.init(
            severity: field("V") ?? field("S") ?? "ERROR",
            primary: field("M") ?? trimmed(PQresultErrorMessage(result)),
            sqlState: field("C").map { SQLState($0) },
            detail: field("D"),
            hint: field("H"),
            table: field("t"),
            column: field("c"),
            constraint: field("n")
        )
    }
}

/// The query's binds laid out as libpq wants them; reused so that a query allocates nothing for it.
struct BindScratch {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []
    private var values: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var types: [Oid] = []

    mutating func withParameters(
        _ binds: [Bind],
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?,
            UnsafePointer<Oid>?
        ) -> Bool
    ) -> Bool {
        guard !binds.isEmpty else { return body(0, nil, nil, nil, nil) }
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
        for bind in binds {
            offsets.append(bytes.count)
            lengths.append(Int32(bind.bytes?.count ?? 0))  // safe: a body has at most 8 MiB (BodyLimit)
            types.append(bind.type.rawValue)
            bytes.append(contentsOf: bind.bytes ?? [])
        }
        bytes.append(0)  // so that there is an address even when every bind is empty
        while formats.count < binds.count { formats.append(1) }
        return bytes.withUnsafeBytes { memory in
            values.removeAll(keepingCapacity: true)
            for (bind, offset) in zip(binds, offsets) {
                let start = memory.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
                values.append(bind.bytes == nil ? nil : start)
            }
            return body(Int32(binds.count), values, lengths, formats, types)  // safe: as many as a query writes
        }
    }
}

private final class NoticeBox {
    let handler: @Sendable (ServerMessage) -> Void

    init(handler: @escaping @Sendable (ServerMessage) -> Void) {
        self.handler = handler
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

private func trimmed(_ message: UnsafePointer<CChar>?) -> String {
    var text = message.map { String(cString: $0) } ?? ""
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
}

/// What a connection string says, by libpq's own reading of it.
enum ConnectionParameters {
    /// - Throws: `PostgresError` with `.connectionFailed` for a string that libpq cannot read.
    static func parse(_ connectionString: String) throws(PostgresError) -> [String: String] {
        // libpq takes what is neither a URI nor a list of settings for the name of a database.
        guard connectionString.contains("=") || connectionString.contains("://") else {
            return ["dbname": connectionString]
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(connectionString, &message) else {
            defer { PQfreemem(message) }
            var failure = PostgresError(.connectionFailed, message.map { trimmed($0) } ?? "out of memory")
            failure.sqlState = .clientUnableToConnect
            throw failure
        }
        defer { PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return parameters
    }

    /// Whether libpq says that it does not connect with these settings: one that it does not know, TLS that the server does not
    /// have, a certificate that is missing or wrong. It has no code for that. Of several hosts the last one decides.
    static func areRefused(by message: String) -> Bool {
        let settings = ["invalid ", "could not match ", "definition of service ", "service file "]
        let encryption = ["does not support SSL", "certificate", "private key", "channel binding"]
        let host = message.range(of: "connection to server ", options: .backwards)?.upperBound
        let failed = host.flatMap { message.range(of: " failed: ", range: $0..<message.endIndex)?.upperBound }
        let reason = message[(failed ?? message.startIndex)...]
        if settings.contains(where: { reason.hasPrefix($0) }) { return true }
        // Before there is a connection the message has names in it, and what the server says may have any words.
        guard failed != nil, !reason.hasPrefix("FATAL:") else { return false }
        return encryption.contains { reason.contains($0) }
    }
}
