/// The reason why a byte cannot stand where it stands.
struct HTMLMistake: Error {
    var message: String
}

extension HTMLState {
    /// Moves past one byte of HTML.
    mutating func advance(over byte: UInt8) throws(HTMLMistake) {
        switch place {
        case .text:
            if byte == UInt8(ascii: "<") { place = .tagOpen }
        case .tagOpen:
            try openTag(with: byte)
        case .tagName, .tag, .attributeName, .afterAttributeName, .beforeValue, .unquotedValue:
            try advanceInTag(over: byte)
        case .quotedValue(let quote):
            if byte == quote {
                place = .tag(gapDue: true)
                attribute = ""
                url = .start
                pending = []
            } else if URLAttributes.contains(attribute, of: element) {
                try advanceInURL(over: byte)
            }
        case .declarationOpen:
            openDeclaration(with: byte)
        case .declaration:
            if byte == UInt8(ascii: ">") { self = .text }
        case .comment:
            pending = (pending + [byte]).suffix(4)
            if pending.suffix(3).elementsEqual("-->".utf8) || pending.elementsEqual("--!>".utf8) { self = .text }
        case .content:
            advanceInContent(over: byte)
        }
    }

    private mutating func openTag(with byte: UInt8) throws(HTMLMistake) {
        if byte.isLetter {
            place = .tagName
            element = Self.letter(byte)
        } else if byte == UInt8(ascii: "/"), !isEndTag {
            isEndTag = true
        } else if byte == UInt8(ascii: "!"), !isEndTag {
            place = .declarationOpen
            pending = []
        } else {
            throw HTMLMistake(message: "`<` begins no tag here; write &lt;")
        }
    }

    private mutating func openDeclaration(with byte: UInt8) {
        pending.append(byte)
        if pending.elementsEqual("--".utf8) {
            // The dashes count for the end as well: `<!-->` is a whole comment.
            place = .comment
        } else if pending != [UInt8(ascii: "-")] {
            pending = []
            if byte == UInt8(ascii: ">") { self = .text } else { place = .declaration }
        }
    }

    private mutating func advanceInTag(over byte: UInt8) throws(HTMLMistake) {
        switch (place, byte) {
        case (.beforeValue, UInt8(ascii: ">")):
            throw HTMLMistake(message: "the attribute \(attribute) has no value after `=`")
        case (_, UInt8(ascii: ">")):
            closeTag()
        case (.tagName, _) where byte.isSpace, (.tag, _) where byte.isSpace, (.unquotedValue, _) where byte.isSpace:
            place = .tag(gapDue: false)
            attribute = ""
        case (.tagName, UInt8(ascii: "/")), (.tag, UInt8(ascii: "/")):
            place = .tag(gapDue: false)
        case (.tagName, _):
            element += Self.letter(byte)
        case (.tag(gapDue: true), _):
            throw HTMLMistake(message: "white space is due before the next attribute")
        case (.attributeName, UInt8(ascii: "=")), (.afterAttributeName, UInt8(ascii: "=")):
            place = .beforeValue
        case (.attributeName, _) where byte.isSpace, (.afterAttributeName, _) where byte.isSpace:
            place = .afterAttributeName
        case (.attributeName, UInt8(ascii: "/")), (.afterAttributeName, UInt8(ascii: "/")):
            place = .tag(gapDue: false)
        case (.beforeValue, UInt8(ascii: "\"")), (.beforeValue, UInt8(ascii: "'")):
            beginValue(quote: byte)
        case (.beforeValue, _):
            if !byte.isSpace { place = .unquotedValue }
        case (.unquotedValue, _):
            break
        default:
            try advanceInAttributeName(over: byte)
        }
        guard Self.forbiddenWithoutQuotes.contains(byte) else { return }
        if place == .unquotedValue {
            throw HTMLMistake(message: "the attribute \(attribute) needs quotes")
        }
        if place == .tagName {
            throw HTMLMistake(message: "`\(Self.letter(byte))` is out of place in a tag's name")
        }
    }

    private mutating func advanceInAttributeName(over byte: UInt8) throws(HTMLMistake) {
        guard byte != UInt8(ascii: "="), !Self.forbiddenWithoutQuotes.contains(byte) else {
            throw HTMLMistake(message: "`\(Self.letter(byte))` is out of place in a tag")
        }
        if place != .attributeName {
            attribute = ""
        }
        place = .attributeName
        attribute += Self.letter(byte)
        if element == "meta", ["name", "property", "itemprop"].contains(attribute) {
            isNamedMeta = true
        }
    }

    private mutating func beginValue(quote: UInt8) {
        place = .quotedValue(quote: quote)
        url = .start
        pending = []
    }

    private mutating func closeTag() {
        let name = element
        let opensContent = !isEndTag && Self.elementsWithoutTags.contains(name)
        let opensPlainText = !isEndTag && Self.plainElements.contains(name)
        let isBackInText = isEndTag && name == "tspan"
        self = .text
        if opensContent { place = .content }
        if opensContent || opensPlainText { element = name }
        if isBackInText { element = "text" }
    }

    /// Follows a URL far enough to know whether it has a scheme.
    private mutating func advanceInURL(over byte: UInt8) throws(HTMLMistake) {
        switch (url, byte) {
        case (.rest, _), (.foreign, _): break
        case (_, UInt8(ascii: "/")), (_, UInt8(ascii: "?")), (_, UInt8(ascii: "#")): url = .rest
        case (.unsettled, UInt8(ascii: ":")):
            throw HTMLMistake(message: "`:` may not follow a value at the start of a URL")
        case (_, UInt8(ascii: ":")):
            let scheme = String(decoding: pending, as: UTF8.self)
            guard !["javascript", "vbscript"].contains(scheme) else {
                throw HTMLMistake(message: "a \(scheme): URL is never allowed")
            }
            url = ["http", "https", "mailto"].contains(scheme) ? .rest : .foreign
        case (.unsettled, _): break
        case (.start, _) where byte.isSpace: break
        case (.start, _), (.maybeScheme, _):
            url = .maybeScheme
            pending.append(byte.lowercased)
        }
    }

    /// Looks for the end tag; the rest of the element's content is nobody's business.
    private mutating func advanceInContent(over byte: UInt8) {
        let endTag = Array("</\(element)".utf8)
        if pending.count == endTag.count, byte.isSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
            let name = element
            self = .text
            element = name
            isEndTag = true
            place = .tag(gapDue: false)
            if byte == UInt8(ascii: ">") { self = .text }
            return
        }
        pending.append(byte.lowercased)
        if !endTag.starts(with: pending) {
            pending = byte == UInt8(ascii: "<") ? [byte] : []
        }
    }

    private static func letter(_ byte: UInt8) -> String {
        String(decoding: [byte.lowercased], as: UTF8.self)
    }

    private static let forbiddenWithoutQuotes = Set("\"'<`".utf8)

    /// The standard's raw text and escapable raw text elements.
    private static let elementsWithoutTags: Set = [
        "title", "textarea", "script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext",
    ]
}
