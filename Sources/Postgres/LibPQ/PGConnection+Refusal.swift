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
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
