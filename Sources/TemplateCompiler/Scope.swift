/// The names a template may use at some point.
struct Scope {
    /// True if names that are not local belong to a page.
    let hasPage: Bool
    var locals: Set<String>

    /// The page's words, or those that a partial or layout was given.
    var strings: String { hasPage ? "self.\(Generated.strings)" : Generated.strings }

    /// The Swift for a path; whether its properties exist is for the Swift compiler to say.
    func swift(for path: Path, in source: TemplateSource) throws(TemplateError) -> (prefix: String, code: String) {
        let code = path.names.map(SwiftLiteral.name).joined(separator: ".")
        if locals.contains(path.root) { return ("", code) }
        guard hasPage else {
            let known = locals.isEmpty ? "none" : locals.sorted().joined(separator: ", ")
            throw source.error(
                at: path.offset,
                "`\(path.root)` is neither a parameter nor a local here; there are: \(known)"
            )
        }
        return ("self.", code)
    }
}
