/// One tag of a template, as it is written.
enum Tag: Equatable {
    case value(Path)
    case trusted(Path)
    case said(Saying)
    case each(Path, as: String)
    case condition(Condition)
    /// `{{#with customer as name}}`: a condition in other words, closed by its own tag.
    case with(Condition)
    case otherwise(Condition?)
    case fill(String)
    case hole(String)
    case close(String)
    case partial(Call)
    case header(Header)
    case comment

    /// True if a line that holds nothing else vanishes.
    var vanishesAlone: Bool {
        switch self {
        case .value, .trusted, .said, .partial: false
        case .each, .condition, .with, .otherwise, .fill, .hole, .close, .header, .comment: true
        }
    }
}

/// A property path such as `order.customer.name`, with the offset of its first byte.
struct Path: Equatable {
    var names: [String]
    var offset: Int

    var root: String { names[0] }
}

/// The condition of `{{#if}}` or `{{#with}}`.
enum Condition: Equatable {
    case holds(Path, negated: Bool)
    /// Holds if a value is one case of its enumeration.
    case matches(Path, case: String, negated: Bool)
    case binds(name: String, to: Path)

    var path: Path {
        switch self {
        case .holds(let path, _), .matches(let path, _, _), .binds(_, let path): path
        }
    }
}

/// A partial or a layout called with arguments.
struct Call: Equatable {
    var name: String
    var arguments: [Argument]
    var offset: Int
}

/// Words in the reader's language, by their key in `Languages`; what they leave open is given by name.
struct Saying: Equatable {
    var key: Path
    var arguments: [Argument]
}

/// One argument of a call.
struct Argument: Equatable {
    enum Value: Equatable {
        case path(Path, negated: Bool)
        /// A Swift literal, ready to be written out.
        case literal(String)
    }

    /// Nothing for an argument given by position.
    var label: String?
    var value: Value
    var offset: Int
}

/// The tag a template begins with.
enum Header: Equatable {
    case page(type: String)
    case partial(Signature)
    case layout(Signature)
    /// A page's choice of layout; the second tag of a page.
    case uses(Call)
}

/// The name and parameters a partial or a layout declares.
struct Signature: Equatable {
    var name: String
    var parameters: [Parameter]
}

/// One declared parameter; its type is Swift and is left to the Swift compiler.
struct Parameter: Equatable {
    var name: String
    var type: String
    var offset: Int
}
