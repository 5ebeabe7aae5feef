/// A piece of a template: HTML between tags, or a tag.
enum Token: Equatable {
    case html(Range<Int>)
    case tag(Tag, at: Range<Int>)
}

/// Cuts a template into HTML and tags.
struct Lexer {
    private let source: TemplateSource
    private var position = 0
    private var tokens: [Token] = []
    /// Set by `~}}`: the next HTML loses its leading white space.
    private var eatsLeadingSpace = false

    init(_ source: TemplateSource) {
        self.source = source
    }

    static func tokens(of source: TemplateSource) throws(TemplateError) -> [Token] {
        var lexer = Lexer(source)
        return try lexer.run()
    }

    private mutating func run() throws(TemplateError) -> [Token] {
        while position < source.bytes.count {
            let start = position
            let open = find("{{", from: position) ?? source.bytes.count
            if open > start {
                appendHTML(start..<open)
                position = open
            } else {
                try readTag()
            }
        }
        return tokens
    }

    private mutating func appendHTML(_ range: Range<Int>) {
        var range = range
        if eatsLeadingSpace {
            let first = range.first { !source.bytes[$0].isSpace } ?? range.upperBound
            range = first..<range.upperBound
            eatsLeadingSpace = false
        }
        tokens.append(.html(range))
    }

    private mutating func eatTrailingSpace() {
        guard case .html(let range) = tokens.last else { return }
        let last = range.last { !source.bytes[$0].isSpace } ?? range.lowerBound - 1
        tokens[tokens.count - 1] = .html(range.lowerBound..<last + 1)
    }

    private mutating func readTag() throws(TemplateError) {
        let start = position
        if starts(with: "{{!--", at: start) {
            try finishTag(.comment, from: start, closing: "--}}", after: 5)
            return
        }
        let isTrusted = starts(with: "{{{", at: start)
        let closing = isTrusted ? "}}}" : "}}"
        var content = start + closing.utf8.count
        let eatsBefore = !isTrusted && content < source.bytes.count && source.bytes[content] == UInt8(ascii: "~")
        if eatsBefore {
            eatTrailingSpace()
            content += 1
        }
        if starts(with: "!", at: content) {
            try finishTag(.comment, from: start, closing: closing, after: content - start)
            return
        }
        guard let end = find(closing, from: content), find("{{", from: content).map({ $0 > end }) ?? true else {
            throw source.error(at: start, "this tag is not closed with \(closing)")
        }
        var contentEnd = end
        if !isTrusted, end > content, source.bytes[end - 1] == UInt8(ascii: "~") {
            contentEnd -= 1
            eatsLeadingSpace = true
        } else {
            eatsLeadingSpace = false
        }
        var parser = TagParser(source: source, range: content..<contentEnd)
        let tag = isTrusted ? Tag.trusted(try parser.wholePath()) : try parser.tag()
        position = end + closing.utf8.count
        tokens.append(.tag(tag, at: start..<position))
    }

    private mutating func finishTag(
        _ tag: Tag,
        from start: Int,
        closing: String,
        after prefix: Int
    ) throws(TemplateError) {
        guard let end = find(closing, from: start + prefix) else {
            throw source.error(at: start, "this comment is not closed with \(closing)")
        }
        eatsLeadingSpace = end > start && source.bytes[end - 1] == UInt8(ascii: "~")
        position = end + closing.utf8.count
        tokens.append(.tag(tag, at: start..<position))
    }

    private func starts(with text: String, at offset: Int) -> Bool {
        source.bytes[min(offset, source.bytes.count)...].starts(with: text.utf8)
    }

    private func find(_ text: String, from offset: Int) -> Int? {
        (offset..<max(offset, source.bytes.count)).first { starts(with: text, at: $0) }
    }
}

extension UInt8 {
    /// White space as HTML counts it.
    var isSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
    }

    var isLetter: Bool {
        (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }

    var isDigit: Bool {
        (0x30...0x39).contains(self)
    }

    var lowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }
}
