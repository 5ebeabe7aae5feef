import CLibPQ
import Foundation

extension PGConnection {
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

    func cancelHandle() -> PGCancel? { PQgetCancel(raw).map(PGCancel.init) }
}
