import HTTP
package import Words

/// A page that confirms an action, or collects what it needs first (dashboard.md, section C).
///
/// The same page serves both steps: the first is a form with GET, the second shows what would change and is sent with
/// POST.
package struct ActionPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    /// The question: "Approve refund of 31.20 CNY for ORD-20241215-0001?"
    let title: String
    let subtitle: String?
    let back: Link
    /// The trouble, above everything; nil before the first try.
    var trouble: Trouble?
    /// A sentence above everything that whoever acts has to know before; nil for none.
    let notice: String?
    /// The page on which what the notice tells of is mended.
    let noticeLink: Link?
    /// The ways of acting, of which one is asked about; each is a page of its own, so that all of it says the same.
    let choices: Choices?
    let changes: [Change]
    let facts: [Fact]
    let factsTitle: String
    /// The text on what to know or do elsewhere, a paragraph each.
    let paragraphs: [String]
    /// The texts to copy, which somebody else is told elsewhere.
    let copies: [Copy]
    let fields: [FormField]
    let hidden: [Hidden]
    let method: String
    let action: String
    /// True if files are sent.
    let sendsFiles: Bool
    /// The button's text, which names the action: "Approve refund of 31.20 CNY"; nil where there is nothing to be done here.
    let submit: String?
    /// The link that leaves things as they are: "Keep request open".
    let keep: Link
    /// It cannot be undone, or takes something away that is paid for.
    let isDangerous: Bool
    /// A sentence next to the buttons.
    let warning: String?

    struct Link: Sendable {
        var text: String
        var href: String
    }

    /// One line of before and after.
    struct Change: Sendable {
        var what: String
        var before: String
        var after: String
    }

    struct Fact: Sendable {
        var name: String
        var value: String
        var href: String?
        /// The moment that the value tells of.
        var at: DateText?
    }

    /// The consequences of an action: whether it can be undone, and who is notified (dashboard.md, rule 30).
    static func consequences(undo: StaticString, notified: StaticString, _ strings: Strings) -> [Fact] {
        [
            Fact(name: strings.accessFactUndo.description, value: undo.description),
            Fact(name: strings.accessFactTold.description, value: notified.description),
        ]
    }

    /// Ways of acting, and what each of them comes to.
    struct Choices: Sendable {
        var title: String
        var hint: String
        var tabs: [FilterTab]
        /// A sentence for each.
        var details: [String]
    }

    struct Copy: Sendable {
        /// The text of the button that copies it: "Copy address".
        var label: String
        var text: String
    }

    struct Hidden: Sendable {
        var name: String
        var value: String
    }

    /// The summary of what is wrong.
    struct Trouble: Sendable {
        var headline: String
        var text: String?
        var links: [Link] = []
    }

    /// - Parameter from: the page that the page shown afterwards leads back to, as it did before.
    init(
        frame: DashboardFrame,
        title: String,
        subtitle: String? = nil,
        back: Link,
        trouble: Trouble? = nil,
        notice: String? = nil,
        noticeLink: Link? = nil,
        choices: Choices? = nil,
        changes: [Change] = [],
        facts: [Fact] = [],
        factsTitle: String = "",
        paragraphs: [String] = [],
        copies: [Copy] = [],
        fields: [FormField],
        hidden: [Hidden] = [],
        method: Method,
        action: String,
        sendsFiles: Bool = false,
        submit: String?,
        keep: Link? = nil,
        isDangerous: Bool = false,
        warning: String? = nil,
        from: String? = nil
    ) {
        self.frame = frame
        self.title = title
        self.subtitle = subtitle
        self.back = back
        self.trouble = trouble ?? Self.trouble(with: fields, frame.strings)
        (self.notice, self.noticeLink, self.choices) = (notice, noticeLink, choices)
        self.changes = changes
        self.facts = facts
        self.factsTitle = factsTitle
        self.paragraphs = paragraphs
        self.copies = copies
        self.fields = fields
        self.hidden =
            hidden + (from.map { [Hidden(name: "from", value: $0)] } ?? [])
            + (method == .post ? [Hidden(name: "csrf", value: frame.csrfToken)] : [])
        self.method = method.rawValue
        self.action = action
        self.sendsFiles = sendsFiles
        self.submit = submit
        self.keep = keep ?? back
        self.isDangerous = isDangerous
        self.warning = warning
    }

    enum Method: String {
        /// The first step: the answer is the next page.
        case get
        /// Performs the action.
        case post
    }

    private static func trouble(with fields: [FormField], _ strings: Strings) -> Trouble? {
        let links = fields.compactMap { field in
            field.problem.map {
                Link(text: strings.actionsTroubleField(field: field.label, problem: $0), href: "#\(field.id)")
            }
        }
        guard !links.isEmpty else { return nil }
        return Trouble(headline: strings.actionsTrouble.description, links: links)
    }
}

extension ActionPage.Hidden {
    /// A key of its own for each page that is shown, so that sending it twice does one thing.
    static func newKey(_ key: String) -> Self { Self(name: "key", value: key) }
}
