import CLibPQ
import Foundation

// Only the files of this folder call libpq; bin/check-imports holds it. A `PGConnection` is not Sendable: one thread creates it,
// hands it over once, and one thread uses it. A `PGResult` never changes after it was made, so it may be read anywhere.

/// An open (or failed) connection of libpq, in non-blocking mode after `open`.
final class PGConnection {
    let raw: OpaquePointer
    private let notices: NoticeBox
    /// The server's position when the connection was opened; nil where nobody asked, or it does not say.
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
}

/// The server's state of a connection's transaction, as libpq reports it.
enum TransactionStatus {
    case idle
    case open
    case failed
    case active
    case unknown
}

private final class NoticeBox {
    let handler: @Sendable (ServerMessage) -> Void

    init(handler: @escaping @Sendable (ServerMessage) -> Void) {
        self.handler = handler
    }
}
