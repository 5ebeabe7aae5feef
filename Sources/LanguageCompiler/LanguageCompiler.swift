import Foundation

/// The tool behind the plugin `CompileLanguages`.
///
///     LanguageCompiler <languages> <output folder> (<file below languages>)...
///
/// Writes `Strings.<area>.swift` for each area. Files whose content would not change are left alone, so that only changed
/// areas are compiled again.
@main
enum LanguageCompiler {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()[...]
        guard arguments.count >= 2 else {
            fail(["usage: LanguageCompiler <languages> <output folder> (<file>)..."])
        }
        let (folder, output) = (arguments.removeFirst(), arguments.removeFirst())
        let sources = try arguments.map { name in
            let path = "\(folder)/\(name)"
            return LanguageSource(name: name, path: path, bytes: Array(try Data(contentsOf: URL(filePath: path))))
        }
        switch LanguageSet.compile(sources) {
        case .failure(let failure): fail(failure.errors.map(\.description))
        case .success(let areas):
            for (area, swift) in areas { try write(swift, to: "\(output)/Strings.\(area).swift") }
        }
    }

    private static func write(_ swift: String, to path: String) throws {
        let (url, content) = (URL(filePath: path), Data(swift.utf8))
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
