/// The method of the buffer that escapes a value for its place.
enum Escaper: String {
    case text
    /// A place where no element may stand around the value.
    case content
    case attribute
    case url
    case component
}

extension HTMLState {
    /// The escaper for a value that stands here; moves past the value.
    mutating func takeValue() throws(HTMLMistake) -> Escaper {
        switch place {
        case .text:
            return Self.plainElements.contains(element) ? .content : .text
        case .content where !isRawText && pending.isEmpty:
            return .content
        case .quotedValue:
            try checkAttributeTakesValues()
            return URLAttributes.contains(attribute, of: element) ? try takeURLValue() : .attribute
        case .beforeValue, .unquotedValue:
            throw HTMLMistake(message: "put the value in quotes: \(attribute)=\"{{…}}\"")
        case .tagOpen, .tagName, .tag, .attributeName, .afterAttributeName, .declarationOpen, .declaration, .comment,
            .content:
            throw HTMLMistake(message: "no value may stand in \(description)")
        }
    }

    private mutating func takeURLValue() throws(HTMLMistake) -> Escaper {
        switch url {
        case .start:
            url = .unsettled
            return .url
        case .rest:
            return .component
        case .maybeScheme, .unsettled:
            throw HTMLMistake(message: "a value may stand at the start of a URL, or after `/`, `?` or `#`")
        case .foreign:
            throw HTMLMistake(message: "no value may stand in a URL with this scheme")
        }
    }

    private func checkAttributeTakesValues() throws(HTMLMistake) {
        let isCode = attribute.hasPrefix("on") || Self.codeAttributes.contains(attribute)
        let isCommand = attribute == "content" && element == "meta" && !isNamedMeta
        let isAnimation = Self.animations.contains(element) && Self.animationTargets.contains(attribute)
        guard !isCode, !isAnimation else {
            throw HTMLMistake(message: "no value may stand in the attribute \(attribute) of <\(element)>")
        }
        guard !isCommand else {
            throw HTMLMistake(message: "no value may stand in a <meta content> that comes before name= or property=")
        }
    }

    /// Elements of SVG and forms whose text has no elements of HTML.
    static let plainElements: Set = ["text", "tspan", "desc", "option"]
    /// Attributes that hold scripts, styles, documents or lists of URLs.
    private static let codeAttributes: Set = ["style", "srcdoc", "srcset", "imagesrcset", "ping", "http-equiv"]
    /// SVG elements that can set another element's `href`.
    private static let animations: Set = ["animate", "set"]
    private static let animationTargets: Set = ["attributename", "from", "to", "by", "values"]
}
