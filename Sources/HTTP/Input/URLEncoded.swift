import Hummingbird

/// Names and values of a query or a form, decoded strictly.
///
/// A broken escape, bytes that are no UTF-8, a NUL, or too many fields are the sender's mistake and throw; nothing is
/// guessed (ASVS 1.1.1).
package struct URLEncoded: Sendable {
    package typealias Pair = (name: String, value: String)

    package static let maximumCount = 100

    package let pairs: [Pair]

    package static let empty = URLEncoded(pairs: [])

    package init(pairs: [Pair]) {
        self.pairs = pairs
    }

    package init(_ text: some StringProtocol) throws(WebError) {
        guard !text.isEmpty else {
            pairs = []
            return
        }
        var pairs: [Pair] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < Self.maximumCount else {
                throw WebError(.badRequest, "There are more than \(Self.maximumCount) fields.")
            }
            let separator = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try Self.decode(part[..<separator], plusIsSpace: true)
            let value =
                separator == part.endIndex ? "" : try Self.decode(part[separator...].dropFirst(), plusIsSpace: true)
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The first value of that name.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// The value of that name; a second one could be read otherwise elsewhere, so it is refused.
    package func single(_ name: String) throws(WebError) -> String? {
        let values = pairs.filter { $0.name == name }
        guard values.count <= 1 else { throw WebError(.badRequest, "\(name) is there more than once.", field: name) }
        return values.first?.value
    }

    /// Resolves `%XX`; throws for what is not UTF-8 text without a NUL.
    package static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) throws(WebError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
                    throw WebError(.badRequest, "The address or form contains a broken percent escape.")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw WebError(.badRequest, "The address or form contains bytes that are no text.")
        }
        return text
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Request {
    /// The query's pairs.
    package func query() throws(WebError) -> URLEncoded {
        guard let query = uri.query else { return .empty }
        return try URLEncoded(query)
    }

    /// The path and query as they were asked for.
    package var target: String {
        guard let query = uri.query, !query.isEmpty else { return uri.path }
        return "\(uri.path)?\(query)"
    }
}
