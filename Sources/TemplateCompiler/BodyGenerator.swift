/// Turns the tree of a template, or of one block, into the statements of a Swift function.
struct BodyGenerator {
    let source: TemplateSource
    let library: Library
    var scope: Scope
    var state: HTMLState
    var writer: SwiftWriter
    /// The blocks met so far and where they stand; only layouts have any.
    var holes: [String: HTMLState] = [:]

    mutating func write(_ nodes: [Node]) throws(TemplateError) {
        for node in nodes {
            switch node {
            case .html(let range): try html(range)
            case .value(let path): try value(path)
            case .trusted(let path): try trusted(path)
            case .said(let saying): try say(saying)
            case .each(let loop): try each(loop)
            case .choice(let choice): try self.choice(choice)
            case .partial(let call): try partial(call)
            case .hole(let block): try hole(block)
            case .fill(let block):
                throw source.error(
                    at: block.offset,
                    "{{#block}} belongs to a page with a layout, outside of everything"
                )
            }
        }
    }

    // MARK: - Leaves

    private mutating func html(_ range: Range<Int>) throws(TemplateError) {
        for offset in range {
            do throws(HTMLMistake) {
                try state.advance(over: source.bytes[offset])
            } catch {
                throw source.error(at: offset, error.message)
            }
        }
        writer.html(source.bytes[range])
    }

    private mutating func value(_ path: Path) throws(TemplateError) {
        let escaper: Escaper
        do throws(HTMLMistake) {
            escaper = try state.takeValue()
        } catch {
            throw source.error(at: path.offset, error.message)
        }
        let (prefix, code) = try scope.swift(for: path, in: source)
        writer.line("\(Generated.buffer).\(escaper.rawValue)(\(prefix)", "\(code))", at: path.offset, of: source)
    }

    private mutating func say(_ saying: Saying) throws(TemplateError) {
        let escaper: Escaper
        do throws(HTMLMistake) {
            escaper = try state.takeValue()
        } catch {
            throw source.error(at: saying.key.offset, error.message)
        }
        let code = try scope.swift(for: saying, in: source)
        writer.line(
            "\(Generated.buffer).\(escaper.rawValue)(\(scope.strings).",
            "\(code))",
            at: saying.key.offset,
            of: source
        )
    }

    private mutating func trusted(_ path: Path) throws(TemplateError) {
        guard state.place == .text else {
            throw source.error(at: path.offset, "{{{ }}} stands between elements only, not in \(state.description)")
        }
        let (prefix, code) = try scope.swift(for: path, in: source)
        writer.line("\(Generated.buffer).trusted(\(prefix)", "\(code))", at: path.offset, of: source)
    }

    private mutating func partial(_ call: Call) throws(TemplateError) {
        guard state.place == .text else {
            throw source.error(at: call.offset, "a partial stands between elements only, not in \(state.description)")
        }
        let (template, signature) = try library.partial(call, from: source)
        let arguments = try scope.arguments(of: call, for: signature, in: source)
        let list = (arguments + ["strings: \(scope.strings)", "into: &\(Generated.buffer)"]).joined(separator: ", ")
        let function = "\(Generated.namespace).\(Generated.function(for: template.source))"
        writer.line("", "\(function)(\(list))", at: call.offset, of: source)
    }

    // MARK: - Sections

    private mutating func each(_ loop: Loop) throws(TemplateError) {
        let start = try sectionStart(loop.offset, repeats: true)
        let (prefix, code) = try scope.swift(for: loop.path, in: source)
        if loop.otherwise != nil {
            writer.line("if \(prefix)", "\(code).isEmpty {", at: loop.path.offset, of: source)
            state = start
            try body(loop.otherwise ?? [], endingLike: nil, openedAt: loop.offset)
            writer.line("}")
        }
        let afterOtherwise = loop.otherwise == nil ? start : state
        let local = SwiftLiteral.name(loop.name)
        writer.line("for \(local) in \(prefix)", "\(code) {", at: loop.path.offset, of: source)
        state = start
        try body(loop.body, binding: loop.name, endingLike: start, openedAt: loop.offset)
        writer.line("}")
        state = try join([start, afterOtherwise], openedAt: loop.offset)
    }

    private mutating func choice(_ choice: Choice) throws(TemplateError) {
        let start = try sectionStart(choice.offset, repeats: false)
        var ends: [HTMLState] = []
        for (index, branch) in choice.branches.enumerated() {
            let opening = index == 0 ? "if " : "} else if "
            let (prefix, code) = try scope.swift(for: branch.condition.path, in: source)
            let offset = branch.condition.path.offset
            state = start
            switch branch.condition {
            case .holds(_, let negated):
                writer.line(opening + (negated ? "!" : "") + prefix, "\(code) {", at: offset, of: source)
                try body(branch.body, endingLike: nil, openedAt: choice.offset)
            case .matches(_, let name, let negated):
                let sign = negated ? "!=" : "=="
                writer.line(opening + prefix, "\(code) \(sign) .\(SwiftLiteral.name(name)) {", at: offset, of: source)
                try body(branch.body, endingLike: nil, openedAt: choice.offset)
            case .binds(let name, _):
                let local = SwiftLiteral.name(name)
                writer.line("\(opening)let \(local) = \(prefix)", "\(code) {", at: offset, of: source)
                try body(branch.body, binding: name, endingLike: nil, openedAt: choice.offset)
            }
            ends.append(state)
        }
        state = start
        if let otherwise = choice.otherwise {
            writer.line("} else {")
            try body(otherwise, endingLike: nil, openedAt: choice.offset)
        }
        ends.append(state)
        writer.line("}")
        state = try join(ends, openedAt: choice.offset)
    }

    private mutating func hole(_ block: Block) throws(TemplateError) {
        guard !scope.hasPage, holes[block.name] == nil else {
            let message =
                scope.hasPage
                ? "{{block}} belongs to a layout; a page writes {{#block}}"
                : "the block `\(block.name)` is declared twice"
            throw source.error(at: block.offset, message)
        }
        let start = try sectionStart(block.offset, repeats: true)
        holes[block.name] = start
        writer.line("if !\(SwiftLiteral.name(block.name))(&\(Generated.buffer)) {")
        state = start
        try body(block.body, endingLike: start, openedAt: block.offset)
        writer.line("}")
        state = start
    }

    /// The state in which a section begins. A section that is repeated, or filled from elsewhere, may begin right after itself.
    private func sectionStart(_ offset: Int, repeats: Bool) throws(TemplateError) -> HTMLState {
        guard var start = state.atSectionEdge else {
            throw source.error(at: offset, "no section may begin in \(state.description)")
        }
        if repeats, case .tag = start.place {
            start.place = .tag(gapDue: true)
        }
        return start
    }

    /// Writes a section's body and leaves the state at its edge.
    private mutating func body(
        _ nodes: [Node],
        binding name: String? = nil,
        endingLike start: HTMLState?,
        openedAt offset: Int
    ) throws(TemplateError) {
        let outerLocals = scope.locals
        writer.indent()
        if let name {
            scope.locals.insert(name)
            // A template need not use what it unwraps.
            writer.line("_ = \(SwiftLiteral.name(name))")
        }
        try write(nodes)
        writer.outdent()
        scope.locals = outerLocals
        guard let end = state.atSectionEdge else {
            throw source.error(at: offset, "this section ends in \(state.description)")
        }
        if let start, end.joined(with: start) != start {
            throw source.error(
                at: offset,
                "this section begins in \(start.description) and ends in \(end.description); it must end where it began"
            )
        }
        state = end
    }

    private func join(_ ends: [HTMLState], openedAt offset: Int) throws(TemplateError) -> HTMLState {
        var result = ends[0]
        for end in ends.dropFirst() {
            guard let joined = result.joined(with: end) else {
                throw source.error(
                    at: offset,
                    "the branches of this section end in different places: \(result.description) and \(end.description)"
                )
            }
            result = joined
        }
        return result
    }
}
