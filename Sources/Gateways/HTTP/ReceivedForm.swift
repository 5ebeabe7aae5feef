/// A form as it came, taken apart and unescaped exactly once; values are bytes, as their charset is named within.
struct ReceivedForm: Sendable {
    /// In their order.
    let fields: [Field]

    struct Field: Hashable, Sendable {
        let name: String
        let value: [UInt8]
    }

    /// - Parameters:
    ///   - longest: in bytes.
    ///   - most: fields.
    /// - Throws: `.malformed`: longer, more, an escape that is none, a name that is empty, no UTF-8, or there twice.
    init(_ text: some Collection<UInt8>, longest: Int = 65_536, most: Int = 200) throws(GatewayError) {
        guard text.count <= longest else { throw GatewayError(.malformed, "The form is too long.") }
        var fields: [Field] = []
        var names = Set<String>()
        for pair in text.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let last = parts.last, let bytes = Self.unescaped(first),
                let name = String(validating: bytes, as: UTF8.self), !name.isEmpty,
                let value = parts.count == 1 ? [] : Self.unescaped(last)
            else { throw GatewayError(.malformed, "A field of the form cannot be read.") }
            // Of two of a name one might be signed and the other read.
            guard names.insert(name).inserted else {
                throw GatewayError(.malformed, "A field of the form is there twice.")
            }
            guard names.count <= most else { throw GatewayError(.malformed, "The form has too many fields.") }
            fields.append(Field(name: name, value: value))
        }
        self.fields = fields
    }

    /// The value as text; nil where there is none, where it is empty, and where it is not UTF-8.
    func text(_ name: String) -> String? {
        guard let field = fields.first(where: { $0.name == name }), !field.value.isEmpty else { return nil }
        return String(validating: field.value, as: UTF8.self)
    }

    /// - Returns: nil for an escape that is none.
    private static func unescaped(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
    }
}
