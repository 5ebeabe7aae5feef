extension TagParser {
    /// The name of a template and its arguments, up to the end of the tag.
    mutating func call() throws(TemplateError) -> Call {
        skipSpace()
        let start = position
        var called = try name("the name of a template")
        while take("/") {
            called += "/" + (try name("the name of a template"))
        }
        var arguments: [Argument] = []
        while peek() != nil {
            arguments.append(try argument())
        }
        return Call(name: called, arguments: arguments, offset: start)
    }

    /// A key and the arguments of its words, all by name.
    mutating func saying() throws(TemplateError) -> Saying {
        let key = try path()
        guard key.names.count > 1 else {
            throw source.error(at: key.offset, "expected a key such as `orders.title`, not `\(key.text)`")
        }
        var arguments: [Argument] = []
        while peek() != nil {
            let argument = try argument()
            guard let label = argument.label else {
                throw source.error(at: argument.offset, "strings take their arguments by name: name=value")
            }
            guard !arguments.contains(where: { $0.label == label }) else {
                throw source.error(at: argument.offset, "`\(label)` is given twice")
            }
            arguments.append(argument)
        }
        return Saying(key: key, arguments: arguments)
    }

    private mutating func argument() throws(TemplateError) -> Argument {
        skipSpace()
        let start = position
        if let literal = try literal() {
            return Argument(label: nil, value: .literal(literal), offset: start)
        }
        let negated = take("!")
        let first = try path()
        guard !negated, first.names.count == 1, take("=") else {
            return Argument(label: nil, value: Self.value(first, negated: negated), offset: start)
        }
        if let literal = try literal() {
            return Argument(label: first.root, value: .literal(literal), offset: start)
        }
        let isNegated = take("!")
        return Argument(label: first.root, value: Self.value(try path(), negated: isNegated), offset: start)
    }

    private static func value(_ path: Path, negated: Bool) -> Argument.Value {
        let literals = ["true", "false", "nil"]
        return path.names.count == 1 && literals.contains(path.root) && !negated
            ? .literal(path.root) : .path(path, negated: negated)
    }

    private mutating func literal() throws(TemplateError) -> String? {
        skipSpace()
        let start = position
        if take("\"") {
            guard let close = (position..<end).first(where: { source.bytes[$0] == UInt8(ascii: "\"") }) else {
                throw source.error(at: start, "this text has no closing quote")
            }
            defer { position = close + 1 }
            return SwiftLiteral.string(source.bytes[position..<close])
        }
        let digits = start + (peek() == UInt8(ascii: "-") ? 1 : 0)
        guard digits < end, source.bytes[digits].isDigit else { return nil }
        position = (digits..<end).first { !source.bytes[$0].isDigit } ?? end
        return source.text(start..<position)
    }
}
