/// Builds the tree of one template and checks that its sections are nested and closed.
struct TemplateParser {
    let source: TemplateSource
    let tokens: [Token]
    var position = 0

    private init(source: TemplateSource) throws(TemplateError) {
        self.source = source
        tokens = BlankLines.removed(from: try Lexer.tokens(of: source), of: source)
    }

    static func parse(_ source: TemplateSource) throws(TemplateError) -> Template {
        guard String(validating: source.bytes, as: UTF8.self) != nil else {
            throw source.error(at: 0, "this file is not UTF-8")
        }
        var parser = try TemplateParser(source: source)
        return try parser.template()
    }

    private mutating func template() throws(TemplateError) -> Template {
        guard let (header, offset) = nextHeader() else {
            throw source.error(
                at: 0,
                "a template begins with {{page Type}}, {{partial name(…)}} or {{layout name(…)}}"
            )
        }
        let kind: Template.Kind
        switch header {
        case .page(let type):
            var layout: Call?
            let afterPage = position
            if case (.uses(let call), _)? = nextHeader() {
                layout = call
            } else {
                position = afterPage
            }
            kind = .page(type: type, layout: layout)
        case .partial(let signature):
            try check(signature, at: offset)
            kind = .partial(signature)
        case .layout(let signature):
            try check(signature, at: offset)
            kind = .layout(signature)
        case .uses:
            throw source.error(
                at: offset,
                "{{page Type}} comes first; a layout declares parameters: {{layout name(…)}}"
            )
        }
        var nodes = try nodes(closedBy: nil, openedAt: offset)
        if case .partial = kind {
            dropLastNewline(of: &nodes)
        }
        return Template(source: source, kind: kind, headerOffset: offset, nodes: nodes)
    }

    /// The next tag if it is a header and only white space and comments come before it.
    private mutating func nextHeader() -> (Header, Int)? {
        while position < tokens.count {
            switch tokens[position] {
            case .tag(.comment, _): break
            case .tag(.header(let header), let place):
                position += 1
                return (header, place.lowerBound)
            case .html(let range) where source.bytes[range].allSatisfy(\.isSpace): break
            default: return nil
            }
            position += 1
        }
        return nil
    }

    /// The newline at the end of a partial's file is not part of it: its caller has one of its own.
    private func dropLastNewline(of nodes: inout [Node]) {
        guard case .html(let range) = nodes.last, source.bytes[range].last == UInt8(ascii: "\n") else { return }
        nodes[nodes.count - 1] = .html(range.dropLast())
    }

    private func check(_ signature: Signature, at offset: Int) throws(TemplateError) {
        guard signature.name == source.baseName else {
            throw source.error(at: offset, "`\(signature.name)` must be called `\(source.baseName)`, like its file")
        }
        if let own = signature.parameters.first(where: { $0.name == Generated.strings }) {
            throw source.error(at: own.offset, "`\(Generated.strings)` is given to every partial and layout already")
        }
        for (index, parameter) in signature.parameters.enumerated()
        where signature.parameters[..<index].contains(where: { $0.name == parameter.name }) {
            throw source.error(at: parameter.offset, "`\(parameter.name)` is declared twice")
        }
    }

    /// Reads up to `{{else}}` or the end of the section named, or to the end of the file.
    mutating func nodes(closedBy section: String?, openedAt opening: Int) throws(TemplateError) -> [Node] {
        var nodes: [Node] = []
        while position < tokens.count {
            let token = tokens[position]
            switch token {
            case .tag(.otherwise, _) where section == "each" || section == "if" || section == "with":
                return nodes
            case .tag(.otherwise, let place):
                throw source.error(at: place.lowerBound, "{{else}} outside of #if, #with and #each")
            case .tag(.close(let name), let place):
                guard let section else {
                    throw source.error(at: place.lowerBound, "{{/\(name)}} closes nothing")
                }
                guard name == section else {
                    let line = source.position(of: opening).line
                    throw source.error(
                        at: place.lowerBound,
                        "{{/\(name)}} where {{/\(section)}} is due, for the section opened in line \(line)"
                    )
                }
                return nodes
            default:
                position += 1
                if let node = try node(token) {
                    nodes.append(node)
                }
            }
        }
        if let section {
            throw source.error(at: opening, "this section is not closed with {{/\(section)}}")
        }
        return nodes
    }

    private mutating func node(_ token: Token) throws(TemplateError) -> Node? {
        switch token {
        case .html(let range): return range.isEmpty ? nil : .html(range)
        case .tag(let tag, let place): return try node(tag, at: place.lowerBound)
        }
    }

    private mutating func node(_ tag: Tag, at offset: Int) throws(TemplateError) -> Node? {
        switch tag {
        case .comment:
            return nil
        case .value(let path):
            return .value(path)
        case .trusted(let path):
            return .trusted(path)
        case .said(let saying):
            return .said(saying)
        case .partial(let call):
            return .partial(call)
        case .each(let path, let name):
            let body = try nodes(closedBy: "each", openedAt: offset)
            let otherwise = try alternative(of: "each", openedAt: offset)
            return .each(Loop(path: path, name: name, body: body, otherwise: otherwise, offset: offset))
        case .condition(let condition):
            return .choice(try choice(condition, closedBy: "if", openedAt: offset))
        case .with(let condition):
            return .choice(try choice(condition, closedBy: "with", openedAt: offset))
        case .hole(let name):
            return .hole(try block(name, openedAt: offset))
        case .fill(let name):
            return .fill(try block(name, openedAt: offset))
        case .header:
            throw source.error(at: offset, "this tag belongs at the beginning of a template, once")
        case .otherwise, .close:
            // `nodes(closedBy:openedAt:)` handles both before it comes here.
            throw source.error(at: offset, "this tag closes nothing")
        }
    }
}
