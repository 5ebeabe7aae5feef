/// One template, parsed.
struct Template {
    enum Kind {
        /// A page type and the layout it asks for.
        case page(type: String, layout: Call?)
        case partial(Signature)
        case layout(Signature)
    }

    var source: TemplateSource
    var kind: Kind
    /// Where the header stands, for errors about the file as a whole.
    var headerOffset: Int
    var nodes: [Node]
}

/// A piece of a template's tree.
indirect enum Node {
    case html(Range<Int>)
    case value(Path)
    case trusted(Path)
    case said(Saying)
    case each(Loop)
    case choice(Choice)
    case partial(Call)
    /// A layout's `{{block name}}default{{/block}}`.
    case hole(Block)
    /// A page's `{{#block name}}content{{/block}}`.
    case fill(Block)
}

/// `{{#each}}`; without `{{else}}` there is no `otherwise`.
struct Loop {
    var path: Path
    var name: String
    var body: [Node]
    var otherwise: [Node]?
    /// Where the tag stands, for errors about the section as a whole.
    var offset: Int
}

/// `{{#if}}` or `{{#with}}` with all its branches.
struct Choice {
    var branches: [(condition: Condition, body: [Node])]
    var otherwise: [Node]?
    var offset: Int
}

/// A named part of a layout, or what a page puts there.
struct Block {
    var name: String
    var body: [Node]
    var offset: Int
}

extension Node {
    /// Where the node begins, for errors about it as a whole.
    var offset: Int {
        switch self {
        case .html(let range): range.lowerBound
        case .value(let path), .trusted(let path): path.offset
        case .said(let saying): saying.key.offset
        case .each(let loop): loop.offset
        case .choice(let choice): choice.offset
        case .partial(let call): call.offset
        case .hole(let block), .fill(let block): block.offset
        }
    }
}
