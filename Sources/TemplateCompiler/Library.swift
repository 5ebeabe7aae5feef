/// All templates of a target, found by the names that tags use.
struct Library {
    private let templates: [String: Template]
    /// For each layout's file, the state in which each of its blocks stands.
    var holes: [String: [String: HTMLState]] = [:]

    init(_ templates: [Template]) {
        self.templates = Dictionary(templates.map { ($0.source.name, $0) }) { first, _ in first }
    }

    func layout(_ call: Call, from source: TemplateSource) throws(TemplateError) -> (Template, Signature) {
        let file = "layouts/\(call.name).html"
        guard let template = templates[file] else {
            throw source.error(at: call.offset, "unknown layout `\(call.name)`: there is no \(file)")
        }
        guard case .layout(let signature) = template.kind else {
            throw source.error(at: call.offset, "\(file) is no layout; it must begin with {{layout \(call.name)(…)}}")
        }
        return (template, signature)
    }

    /// A bare name is looked for next to the caller and then at the top, a name with a slash from the top.
    func partial(_ call: Call, from source: TemplateSource) throws(TemplateError) -> (Template, Signature) {
        var parts = call.name.split(separator: "/").map(String.init)
        let file = "_\(parts.removeLast()).html"
        let folders = parts.isEmpty ? [source.folder, ""] : [parts.joined(separator: "/")]
        let candidates = folders.map { $0.isEmpty ? file : "\($0)/\(file)" }
        guard let template = candidates.lazy.compactMap({ templates[$0] }).first else {
            let places = candidates.count == 2 && candidates[0] == candidates[1] ? [file] : candidates
            throw source.error(
                at: call.offset,
                "unknown partial `\(call.name)`: there is no \(places.joined(separator: " and no "))"
            )
        }
        guard case .partial(let signature) = template.kind else {
            throw source.error(
                at: call.offset,
                "\(template.source.name) is no partial; it must begin with {{partial \(template.source.baseName)(…)}}"
            )
        }
        return (template, signature)
    }
}
