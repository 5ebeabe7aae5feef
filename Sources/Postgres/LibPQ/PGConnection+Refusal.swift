import CLibPQ
import Foundation

extension PGConnection {
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
}
