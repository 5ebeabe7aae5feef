import BuildTool
import Foundation

/// The tool behind the plugin `CompileTemplates`.
///
///     TemplateCompiler <templates> <namespace.swift> <modules> (<template below templates> <output.swift>)...
///
/// The modules, with commas between, are those whose types the templates use, besides HTML.
///
/// Files whose content would not change are left alone, so that only changed templates are compiled again.
@main
enum TemplateCompiler {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()[...]
        guard arguments.count >= 3, !arguments.count.isMultiple(of: 2) else {
            BuildTool.fail([
                "usage: TemplateCompiler <templates> <namespace.swift> <modules> (<template> <output.swift>)..."
            ])
        }
        let folder = arguments.removeFirst()
        let namespace = arguments.removeFirst()
        let imports = arguments.removeFirst().split(separator: ",").map(String.init)
        var sources: [TemplateSource] = []
        var outputs: [String] = []
        while arguments.count >= 2 {
            sources.append(try read(arguments.removeFirst(), in: folder))
            outputs.append(arguments.removeFirst())
        }
        switch TemplateSet.compile(sources, imports: imports) {
        case .failure(let failure):
            BuildTool.fail(failure.errors.map(\.description))
        case .success(let files):
            try BuildTool.write(
                "/// The compiled partials and layouts.\npackage enum \(Generated.namespace) {}\n",
                to: namespace
            )
            for (swift, output) in zip(files, outputs) {
                try BuildTool.write(swift, to: output)
            }
        }
    }

    private static func read(_ name: String, in folder: String) throws -> TemplateSource {
        let path = "\(folder)/\(name)"
        let content = try Data(contentsOf: URL(filePath: path))
        return TemplateSource(name: name, path: path, bytes: Array(content))
    }
}
