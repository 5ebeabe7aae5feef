/// A recursive descent over the bytes of one document.
struct JSONParser {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(GatewayError) -> JSON {
        let value = try value(depth: 0)
        skipWhitespace()
        guard position == bytes.count else { throw malformed("something follows the value") }
        return value
    }

    /// The members of one object with the bytes of each value exactly as they came: what a signature is over.
    mutating func rawMembers() throws(GatewayError) -> [(name: String, value: [UInt8])] {
        var members: [(name: String, value: [UInt8])] = []
        skipWhitespace()
        guard take(UInt8(ascii: "{")) else { throw malformed("it is no object") }
        skipWhitespace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipWhitespace()
                guard peek() == UInt8(ascii: "\"") else { throw malformed("a member has no name") }
                let name = try string()
                skipWhitespace()
                guard take(UInt8(ascii: ":")) else { throw malformed("a member has no value") }
                skipWhitespace()
                let start = position
                _ = try value(depth: 1)
                members.append((name, Array(bytes[start..<position])))  // safe: `position` went on from `start`
                skipWhitespace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw malformed("an object is not closed") }
        }
        skipWhitespace()
        guard position == bytes.count else { throw malformed("something follows the value") }
        return members
    }

    private mutating func value(depth: Int) throws(GatewayError) -> JSON {
        guard depth <= JSON.maximumDepth else { throw malformed("it is nested too deeply") }
        skipWhitespace()
        guard let byte = peek() else { throw malformed("it ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func members(depth: Int) throws(GatewayError) -> [JSON.Member] {
        var members: [JSON.Member] = []
        position += 1
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipWhitespace()
            guard peek() == UInt8(ascii: "\"") else { throw malformed("a member has no name") }
            let name = try string()
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw malformed("a member has no value") }
            members.append(JSON.Member(name: name, value: try value(depth: depth + 1)))
            skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw malformed("an object is not closed") }
        return members
    }

    private mutating func elements(depth: Int) throws(GatewayError) -> [JSON] {
        var elements: [JSON] = []
        position += 1
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw malformed("an array is not closed") }
        return elements
    }

    private mutating func number() throws(GatewayError) -> JSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let leadingZero = peek() == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !(leadingZero && whole > 1) else { throw malformed("a value is not JSON") }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() > 0 else { throw malformed("a number is not JSON") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw malformed("a number is not JSON") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)  // safe: `position` went on from `start`
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw malformed("a number is too large") }
        return .number(number)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(GatewayError) -> JSON {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count, bytes[position..<end].elementsEqual("\(text)".utf8) else {
            throw malformed("a value is not JSON")
        }
        position = end
        return value
    }

    private mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    func malformed(_ what: String) -> GatewayError {
        GatewayError(.malformed, "The message is not valid JSON: \(what).")
    }
}
