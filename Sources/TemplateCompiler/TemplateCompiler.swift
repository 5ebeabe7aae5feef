import Foundation

/// The tool behind the plugin `CompileTemplates`.
///
///     TemplateCompiler <templates> <namespace.swift> (<template below templates> <output.swift>)...
///
/// Files whose content would not change are left alone, so that only changed templates are compiled again.
@main
enum TemplateCompiler {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()[...]
        guard arguments.count >= 2, arguments.count.isMultiple(of: 2) else {
            fail(["usage: TemplateCompiler <templates> <namespace.swift> (<template> <output.swift>)..."])
        }
        let folder = arguments.removeFirst()
        let namespace = arguments.removeFirst()
        var sources: [TemplateSource] = []
        var outputs: [String] = []
        while arguments.count >= 2 {
            sources.append(try read(arguments.removeFirst(), in: folder))
            outputs.append(arguments.removeFirst())
        }
        switch TemplateSet.compile(sources) {
        case .failure(let failure):
            fail(failure.errors.map(\.description))
        case .success(let files):
            try write("/// The compiled partials and layouts.\npackage enum \(Generated.namespace) {}\n", to: namespace)
            for (swift, output) in zip(files, outputs) {
                try write(swift, to: output)
            }
        }
    }

    private static func read(_ name: String, in folder: String) throws -> TemplateSource {
        let path = "\(folder)/\(name)"
        let content = try Data(contentsOf: URL(filePath: path))
        return TemplateSource(name: name, path: path, bytes: Array(content))
    }

    private static func write(_ swift: String, to path: String) throws {
        let url = URL(filePath: path)
        let content = Data(swift.utf8)
        guard (try? Data(contentsOf: url)) != content else { return }
        try content.write(to: url, options: .atomic)
    }

    private static func fail(_ messages: [String]) -> Never {
        for message in messages {
            FileHandle.standardError.write(Data("\(message)\n".utf8))
        }
        exit(1)
    }
}
