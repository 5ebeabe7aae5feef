import CLibPQ
import Foundation

/// Parses connection strings with libpq's own parser.
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

    /// Returns true when libpq says that it does not connect with these settings: one that it does not know, TLS that the server
    /// does not have, a certificate that is missing or wrong. It has no code for that. Of several hosts the last one decides.
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

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
