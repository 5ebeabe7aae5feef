package import NIOHTTP1

/// The rules for the header that says whom a request is for (RFC 9112, 3.2).
package enum HostField {
    /// Returns the reason why a request cannot be answered; nil for one that can.
    ///
    /// Two hosts, or none, let a proxy and the server behind it read a request differently.
    package static func problem(of head: HTTPRequestHead) -> String? {
        let hosts = head.headers["Host"]
        guard hosts.count <= 1 else { return "The request has more than one Host header." }
        guard let host = hosts.first.map(trimmed) else {
            return head.version == .http1_1 ? "The request has no Host header." : nil
        }
        guard isAuthority(host) else { return "The Host header is not a host with or without a port." }
        // Of an absolute target, its own host counts (RFC 9112, 3.2.2): two that differ are two readings.
        if let target = authority(ofTarget: head.uri), target.lowercased() != host.lowercased() {
            return "The request's target and its Host header name different hosts."
        }
        return nil
    }

    /// `http://name:80/path` has one, `/path` and `*` do not.
    private static func authority(ofTarget target: String) -> Substring? {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
        return target[scheme.upperBound...].prefix { !"/?#".contains($0) }
    }

    private static func trimmed(_ value: String) -> Substring {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let rest = value.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? ""
    }

    /// A name or an address, in brackets where it has colons, and perhaps a port (RFC 3986, 3.2).
    private static func isAuthority(_ text: Substring) -> Bool {
        var host = text
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
            host = text[..<colon]
            let port = text[text.index(after: colon)...]
            // safe: reads text
            guard port.isEmpty || UInt16(port) != nil && port.utf8.allSatisfy(isDigit) else { return false }
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.contains(":") && IPAddress(host.dropFirst().dropLast()) != nil
        }
        return !host.isEmpty && host.utf8.allSatisfy(isPartOfName) && hasWholeEscapes(host)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case _: isDigit(byte) || "-._~%".utf8.contains(byte)
        }
    }

    private static func hasWholeEscapes(_ text: Substring) -> Bool {
        text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit)
        }
    }
}
