/// Writes the Swift file of one template.
struct TemplateGenerator {
    let template: Template
    let library: Library
    /// The modules whose types the template uses, besides HTML.
    var imports: [String] = []

    private var source: TemplateSource { template.source }
    private var importLines: [String] { imports.map { "import \($0)" } }

    /// The file's text and, for a layout, the state in which each of its blocks stands.
    func generate() throws(TemplateError) -> (swift: String, holes: [String: HTMLState]) {
        switch template.kind {
        case .page(let type, nil):
            let render = try function(template.nodes, in: .text, scope: Scope(hasPage: true, locals: []))
            return (page(type, render: render.lines, fills: []), [:])
        case .page(let type, let layout?):
            return (try page(type, in: layout), [:])
        case .partial(let signature):
            return (try function(signature, extra: []).swift, [:])
        case .layout(let signature):
            let blocks = Self.blocks(in: template.nodes)
            let clash = blocks.first { block in signature.parameters.contains { $0.name == block.name } }
            if let clash {
                throw source.error(at: clash.offset, "the block `\(clash.name)` has the name of a parameter")
            }
            let extra = blocks.map { "\(SwiftLiteral.name($0.name)): (inout HTMLBuffer) -> Bool" }
            return try function(signature, extra: extra)
        }
    }

    // MARK: - Pages

    private func page(_ type: String, in call: Call) throws(TemplateError) -> String {
        let (layout, signature) = try library.layout(call, from: source)
        let holes = library.holes[layout.source.name] ?? [:]
        let scope = Scope(hasPage: true, locals: [])
        let arguments = try scope.arguments(of: call, for: signature, in: source)
        var filled: Set<String> = []
        var fills: [String] = []
        for block in try blocksFilled(of: layout, holes: holes) {
            guard filled.insert(block.name).inserted else {
                throw source.error(at: block.offset, "the block `\(block.name)` is filled twice")
            }
            fills += try fill(block, in: holes[block.name] ?? .text, scope: scope)
        }
        let blocks = Self.blocks(in: layout.nodes).map { block in
            let isFilled = filled.contains(block.name)
            let closure = isFilled ? "self.\(Generated.fill(block.name))(into: &$0)" : "_ in false"
            return "\(block.name): { \(closure) }"
        }
        let list = (arguments + ["strings: \(scope.strings)"] + blocks + ["into: &\(Generated.buffer)"]).joined(
            separator: ", "
        )
        let function = "\(Generated.namespace).\(Generated.function(for: layout.source))"
        var writer = SwiftWriter(depth: 2)
        writer.line("", "\(function)(\(list))", at: call.offset, of: source)
        return page(type, render: writer.lines, fills: fills)
    }

    private func blocksFilled(of layout: Template, holes: [String: HTMLState]) throws(TemplateError) -> [Block] {
        var fills: [Block] = []
        for node in template.nodes {
            switch node {
            case .fill(let block):
                guard holes[block.name] != nil else {
                    let known = holes.keys.sorted().joined(separator: ", ")
                    throw source.error(
                        at: block.offset,
                        "\(layout.source.name) has no block `\(block.name)`; there are: \(known)"
                    )
                }
                fills.append(block)
            case .html(let range):
                guard let stray = range.first(where: { !source.bytes[$0].isSpace }) else { continue }
                throw source.error(at: stray, "a page with a layout has nothing outside its {{#block}}s")
            case .value, .trusted, .said, .each, .choice, .partial, .hole:
                throw source.error(at: node.offset, "a page with a layout has nothing outside its {{#block}}s")
            }
        }
        return fills
    }

    private func fill(_ block: Block, in state: HTMLState, scope: Scope) throws(TemplateError) -> [String] {
        let body = try function(block.body, in: state, scope: scope, openedAt: block.offset)
        let name = Generated.fill(block.name)
        return ["", "    private func \(name)(into \(Generated.buffer): inout HTMLBuffer) -> Bool {"]
            + body.lines + ["        return true", "    }"]
    }

    /// A page's type may be visible in the package or in its module only. The alias uses HTML in the package's
    /// name in both cases, without which the compiler would warn of an import wider than needed.
    private func page(_ type: String, render: [String], fills: [String]) -> String {
        var header = SwiftWriter(depth: 0)
        header.line("", "extension \(type): HTMLPage {", at: template.headerOffset, of: source)
        let lines =
            ["package import HTML"] + importLines + [""] + header.lines
            + ["    package func render(into \(Generated.buffer): inout HTMLBuffer) {"] + render + ["    }"]
            + fills
            + ["}", "", "extension \(Generated.namespace) {"]
            + ["    package typealias \(Generated.function(for: source)) = HTMLBuffer", "}", ""]
        return lines.joined(separator: "\n")
    }

    // MARK: - Partials and layouts

    private func function(
        _ signature: Signature,
        extra: [String]
    ) throws(TemplateError) -> (swift: String, holes: [String: HTMLState]) {
        let scope = Scope(hasPage: false, locals: Set(signature.parameters.map(\.name) + [Generated.strings]))
        let body = try function(template.nodes, in: .text, scope: scope)
        let parameters = signature.parameters.map { "\(SwiftLiteral.name($0.name)): \($0.type)" }
        let list =
            (parameters + ["\(Generated.strings): Strings"] + extra + ["into \(Generated.buffer): inout HTMLBuffer"])
            .joined(separator: ", ")
        var writer = SwiftWriter(depth: 1)
        let declaration = "static func \(Generated.function(for: source))(\(list)) {"
        writer.line("", declaration, at: template.headerOffset, of: source)
        let lines =
            ["import HTML"] + importLines + ["", "extension \(Generated.namespace) {"] + writer.lines + body.lines
            + ["    }", "}", ""]
        return (lines.joined(separator: "\n"), body.holes)
    }

    /// The statements of one function, which must end where they began.
    private func function(
        _ nodes: [Node],
        in state: HTMLState,
        scope: Scope,
        openedAt offset: Int? = nil
    ) throws(TemplateError) -> (lines: [String], holes: [String: HTMLState]) {
        var body = BodyGenerator(
            source: source,
            library: library,
            scope: scope,
            state: state,
            writer: SwiftWriter(depth: 2)
        )
        try body.write(nodes)
        body.writer.flush()
        guard body.state.atSectionEdge?.joined(with: state) == state else {
            throw source.error(
                at: offset ?? source.bytes.count,
                "this begins in \(state.description) and ends in \(body.state.description); it must end where it began"
            )
        }
        return (body.writer.lines, body.holes)
    }

    /// A layout's blocks in the order they are written, also those within sections and other blocks.
    private static func blocks(in nodes: [Node]) -> [Block] {
        nodes.flatMap { node -> [Block] in
            switch node {
            case .hole(let block): [block] + blocks(in: block.body)
            case .each(let loop): blocks(in: loop.body + (loop.otherwise ?? []))
            case .choice(let choice): blocks(in: choice.branches.flatMap(\.body) + (choice.otherwise ?? []))
            case .html, .value, .trusted, .said, .partial, .fill: []
            }
        }
    }
}
