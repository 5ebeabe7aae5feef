@testable import TemplateCompiler

/// Compiles templates given by name and text; returns the Swift by name.
func compile(_ templates: [String: String]) throws(TemplateErrors) -> [String: String] {
    let names = templates.keys.sorted()
    let sources = names.map { name in
        TemplateSource(name: name, path: "Templates/\(name)", bytes: Array((templates[name] ?? "").utf8))
    }
    return Dictionary(uniqueKeysWithValues: zip(names, try TemplateSet.compile(sources).get()))
}

/// Returns the errors of a set of templates, as printed.
func errors(in templates: [String: String]) -> [String] {
    do throws(TemplateErrors) {
        _ = try compile(templates)
        return []
    } catch {
        return error.errors.map(\.description)
    }
}

/// Returns the statements of a page with this body: its literals and the calls for its values, one a line.
func statements(of body: String, besides templates: [String: String] = [:]) throws(TemplateErrors) -> [String] {
    let swift = try compile(templates.merging(["test.html": "{{page TestPage}}\n" + body]) { $1 })
    return (swift["test.html"] ?? "").split(separator: "\n")
        .map { String($0.drop { $0 == " " }) }
        .filter { !$0.hasPrefix("#sourceLocation") && !$0.hasPrefix("_ = ") }
        .drop { !$0.hasPrefix("package func") }.dropFirst()
        .prefix { $0 != "extension Templates {" }.dropLast(2)
        .map { $0.replacing("_html.", with: "") }
}

/// Returns the messages for a page with this body, without the name of the file.
func mistakes(in body: String, besides templates: [String: String] = [:]) -> [String] {
    errors(in: templates.merging(["test.html": "{{page TestPage}}\n" + body]) { $1 }).map {
        $0.replacing("Templates/test.html:", with: "")
    }
}
