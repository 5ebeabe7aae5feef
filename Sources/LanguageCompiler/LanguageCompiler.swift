import BuildTool
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
            BuildTool.fail(["usage: LanguageCompiler <languages> <output folder> (<file>)..."])
        }
        let (folder, output) = (arguments.removeFirst(), arguments.removeFirst())
        let sources = try arguments.map { name in
            let path = "\(folder)/\(name)"
            return LanguageSource(name: name, path: path, bytes: Array(try Data(contentsOf: URL(filePath: path))))
        }
        switch LanguageSet.compile(sources) {
        case .failure(let failure): BuildTool.fail(failure.errors.map(\.description))
        case .success(let areas):
            for (area, swift) in areas { try BuildTool.write(swift, to: "\(output)/Strings.\(area).swift") }
        }
    }
}
