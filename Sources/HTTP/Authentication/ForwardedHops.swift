package import HTTPTypes

/// Reads the addresses that proxies name as the senders of a request. The last is named by the proxy next to us.
///
/// A hop that hides itself (`unknown`, `_hidden`), or that nobody can read, is nil.
package enum ForwardedHops {
    /// Of `X-Forwarded-For`; nil without it.
    package static func legacy(in headers: HTTPFields) -> [IPAddress?]? {
        let values = headers[values: .forwardedFor]
        guard !values.isEmpty else { return nil }
        return values.flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                address(of: trimmed($0))
            }
        }
    }

    /// Of `Forwarded` (RFC 7239); nil without it. A line that is malformed anywhere says nothing: who wrote its end may have
    /// been meant to be inside somebody else's quotes.
    package static func standard(in headers: HTTPFields) -> [IPAddress?]? {
        let values = headers[values: .forwarded]
        guard !values.isEmpty else { return nil }
        return values.flatMap { value in
            parts(of: Array(value.utf8)[...], at: UInt8(ascii: ",")).map { $0.map(node) } ?? [nil]
        }
    }

    /// The one `for` of an element.
    private static func node(of element: ArraySlice<UInt8>) -> IPAddress? {
        guard let pairs = parts(of: element, at: UInt8(ascii: ";")) else { return nil }
        var found: [ArraySlice<UInt8>] = []
        for pair in pairs {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: trimmed(pair[..<equals]), as: UTF8.self)
            if name.lowercased() == "for" { found.append(trimmed(pair[(equals + 1)...])) }
        }
        guard found.count == 1, let value = found.first else { return nil }
        return address(of: unquoted(value))
    }

    /// Splits where a separator stands outside quotes; nil when a quote does not end.
    private static func parts(of text: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>]? {
        var parts: [ArraySlice<UInt8>] = []
        var (start, isQuoted, isEscaped) = (text.startIndex, false, false)
        for (index, byte) in zip(text.indices, text) {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = index + 1
            }
        }
        return isQuoted ? nil : parts + [text[start...]]
    }

    /// Returns the text within quotes; nothing that needs a backslash is part of an address.
    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        guard value.count >= 2, value.first == quote, value.last == quote else { return value }
        return value.dropFirst().dropLast()
    }

    /// The address of `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`; a port would make
    /// each connection look like somebody else.
    private static func address(of node: some Collection<UInt8>) -> IPAddress? {
        guard node.count <= IPAddress.longestText + 8 else { return nil }
        let text = String(decoding: node, as: UTF8.self)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            let inside = text[text.index(after: text.startIndex)..<end]
            return inside.contains(":") ? IPAddress(inside) : nil
        }
        guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else { return IPAddress(text) }
        return isPort(text[colon...]) ? IPAddress(text[..<colon]) : nil
    }

    /// Nothing, or a colon and up to five digits.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        let digits = text.dropFirst()
        return text.hasPrefix(":") && (1...5).contains(digits.utf8.count)
            && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
