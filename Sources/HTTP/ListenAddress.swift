/// An address to listen on that only this machine itself may reach: `127.0.0.1:9464`, `[::1]:9464`, `localhost:9464`.
package struct ListenAddress: Hashable, Sendable {
    package let host: String
    package let port: Int

    /// nil for what is no such address, or one that others could reach.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), text.utf8.count <= 60 else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0  // safe: reads text
        else { return nil }
        let name = text[..<colon]
        let host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : String(name)
        guard name == "localhost" || name == "[::1]" || host.hasPrefix("127.") && IPAddress(host) != nil else {
            return nil
        }
        (self.host, self.port) = (host, Int(port))
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
