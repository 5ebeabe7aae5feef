/// Reads what stands between the braces of one tag.
struct TagParser {
    let source: TemplateSource
    let end: Int
    var position: Int

    init(source: TemplateSource, range: Range<Int>) {
        self.source = source
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func tag() throws(TemplateError) -> Tag {
        skipSpace()
        let tag =
            if take("#") {
                try section()
            } else if take("/") {
                Tag.close(try name("the name of a section"))
            } else if take(">") {
                Tag.partial(try call())
            } else {
                try wordTag()
            }
        try finish()
        return tag
    }

    /// The content of `{{{ }}}`.
    mutating func wholePath() throws(TemplateError) -> Path {
        let path = try path()
        try finish()
        return path
    }

    private mutating func section() throws(TemplateError) -> Tag {
        let start = position
        switch try name("each, if, with or block") {
        case "each":
            let path = try path()
            try expect(word: "as")
            return .each(path, as: try localName())
        case "if":
            return .condition(try condition())
        case "with":
            let path = try path()
            try expect(word: "as")
            return .with(.binds(name: try localName(), to: path))
        case "block":
            return .fill(try localName())
        case let other:
            throw source.error(at: start, "unknown section #\(other); there are #each, #if, #with and #block")
        }
    }

    /// A word followed by more is a keyword; a path alone is a value.
    private mutating func wordTag() throws(TemplateError) -> Tag {
        let start = position
        let path = try path()
        let isAlone = peek() == nil
        switch path.names {
        case ["else"] where isAlone:
            return .otherwise(nil)
        case ["else"]:
            try expect(word: "if")
            return .otherwise(try condition())
        case ["t"] where !isAlone:
            return .said(try saying())
        case ["page"] where !isAlone:
            return .header(.page(type: try typeName()))
        case ["partial"] where !isAlone:
            return .header(.partial(try signature()))
        case ["layout"] where !isAlone:
            return .header(try layout())
        case ["block"] where !isAlone:
            return .hole(try localName())
        default:
            guard isAlone else {
                throw source.error(at: start, "a value is a property path; nothing may follow `\(path.text)`")
            }
            return .value(path)
        }
    }

    private mutating func condition() throws(TemplateError) -> Condition {
        if take(word: "let") {
            let name = try localName()
            try expect("=")
            return .binds(name: name, to: try path())
        }
        let negated = take("!")
        let path = try path()
        guard !negated, let isEqual = try comparison() else { return .holds(path, negated: negated) }
        skipSpace()
        return .matches(path, case: try name("a case"), negated: !isEqual)
    }

    /// Returns true for `==`, false for `!=`, nil for neither.
    private mutating func comparison() throws(TemplateError) -> Bool? {
        for (sign, isEqual) in [(Unicode.Scalar("="), true), ("!", false)] where take(sign) {
            guard position < end, source.bytes[position] == UInt8(ascii: "=") else {
                throw source.error(at: position, "expected `=`: a value is compared by == or !=")
            }
            position += 1
            return isEqual
        }
        return nil
    }

    /// `layout name(parameters)` declares one, `layout name arguments` uses one.
    private mutating func layout() throws(TemplateError) -> Header {
        let start = position
        let layout = try localName()
        position = start
        let declares = source.text(position..<end).drop { $0 == " " }.dropFirst(layout.count).first == "("
        return declares ? .layout(try signature()) : .uses(try call())
    }
}
