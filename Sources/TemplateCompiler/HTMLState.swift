/// The place in a document at which a position stands, as far as escaping is concerned.
///
/// The places are those of the HTML standard's tokenizer (https://html.spec.whatwg.org/#tokenization) that a template can tell
/// apart. HTML that would make browsers guess is an error here.
struct HTMLState: Equatable {
    enum Place: Equatable {
        /// Between elements.
        case text
        /// After `<`.
        case tagOpen
        /// In the name of a start or end tag.
        case tagName
        /// In a tag, where an attribute may begin; with a gap due, white space must come first.
        case tag(gapDue: Bool)
        case attributeName
        /// After an attribute's name and white space.
        case afterAttributeName
        /// After `=`.
        case beforeValue
        case unquotedValue
        case quotedValue(quote: UInt8)
        /// After `<!`.
        case declarationOpen
        /// `<!doctype …>` and the like.
        case declaration
        case comment
        /// In an element whose content is not parsed for tags, such as `<title>` or `<script>`.
        case content
    }

    /// The part of a URL attribute that has been written.
    enum URLPart: Equatable {
        /// Nothing yet.
        case start
        /// Letters that may still turn out to be a scheme.
        case maybeScheme
        /// A value, or several branches: whether there is a scheme is known only when the page is shown.
        case unsettled
        /// Past the first `/`, `?` or `#`, or past one of our schemes.
        case rest
        /// Past a scheme such as `data:` that is not one of ours.
        case foreign
    }

    var place = Place.text
    /// The open tag's name in lower case, or that of the element whose `content` or plain text this is.
    var element = ""
    var isEndTag = false
    /// The attribute's name in lower case.
    var attribute = ""
    /// In a `<meta>` that has said what it is about, so that its `content` is no command to the browser.
    var isNamedMeta = false
    /// For URL attributes.
    var url = URLPart.start
    /// The bytes read so far of something that is known only at its end: a scheme, `<!--`, `-->` or `</title`.
    var pending: [UInt8] = []

    static let text = HTMLState()

    /// The state at the edge of a section: a name that has begun counts as finished.
    ///
    /// Nothing where no section may begin or end.
    var atSectionEdge: HTMLState? {
        var edge = self
        switch place {
        case .text, .tag: break
        case .tagName, .attributeName, .afterAttributeName:
            edge.place = .tag(gapDue: true)
            edge.attribute = ""
        case .quotedValue: break
        case .content where pending.isEmpty && !isRawText: break
        case .tagOpen, .beforeValue, .unquotedValue, .declarationOpen, .declaration, .comment, .content: return nil
        }
        return edge
    }

    /// The state after branches that end in `self` and `other`, both at a section's edge; nothing if they disagree.
    func joined(with other: HTMLState) -> HTMLState? {
        var joined = self
        var other = other
        if case .tag(let gapDue) = place, case .tag(let otherGapDue) = other.place {
            joined.place = .tag(gapDue: gapDue || otherGapDue)
            other.place = joined.place
        }
        joined.isNamedMeta = isNamedMeta && other.isNamedMeta
        other.isNamedMeta = joined.isNamedMeta
        if url != other.url {
            joined.url = url == .foreign || other.url == .foreign ? .foreign : .unsettled
            other.url = joined.url
            joined.pending = []
            other.pending = []
        }
        return joined == other ? joined : nil
    }

    /// True if the element's content is code or otherwise not text, so that no value may stand there.
    var isRawText: Bool {
        element != "title" && element != "textarea"
    }

    /// The place in words, for errors.
    var description: String {
        switch place {
        case .text: "text"
        case .tagOpen, .tagName: "a tag's name"
        case .tag: "a tag, between attributes"
        case .attributeName, .afterAttributeName: "an attribute's name"
        case .beforeValue, .unquotedValue: "an unquoted attribute"
        case .quotedValue: "the attribute \(attribute)"
        case .declarationOpen, .declaration: "a declaration"
        case .comment: "an HTML comment"
        case .content: "<\(element)>"
        }
    }
}
