/// Compiles all templates of a target together, since they refer to each other.
enum TemplateSet {
    /// The Swift of each template in the order given, or everything that is wrong with them.
    ///
    /// - Parameter imports: the modules whose types the templates use, besides HTML.
    static func compile(_ sources: [TemplateSource], imports: [String] = []) -> Result<[String], TemplateErrors> {
        var errors: [TemplateError] = []
        var templates: [Template] = []
        let fileNames = Dictionary(grouping: sources, by: \.fileName)
        for var source in sources {
            source.sharesFileName = (fileNames[source.fileName]?.count ?? 0) > 1
            do throws(TemplateError) {
                templates.append(try TemplateParser.parse(source))
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { return .failure(TemplateErrors(errors: errors)) }

        var library = Library(templates)
        var swift: [String: String] = [:]
        // Layouts first: pages are checked in the places where the layout puts them.
        for stage in [templates.filter(\.isLayout), templates.filter { !$0.isLayout }] {
            for template in stage {
                do throws(TemplateError) {
                    let generated = try TemplateGenerator(template: template, library: library, imports: imports)
                        .generate()
                    swift[template.source.name] = generated.swift
                    library.holes[template.source.name] = generated.holes
                } catch {
                    errors.append(error)
                }
            }
            guard errors.isEmpty else { return .failure(TemplateErrors(errors: errors)) }
        }
        return .success(sources.map { swift[$0.name] ?? "" })
    }
}

/// Everything that is wrong with a set of templates.
struct TemplateErrors: Error, Equatable {
    var errors: [TemplateError]
}

extension Template {
    fileprivate var isLayout: Bool {
        if case .layout = kind { true } else { false }
    }
}
