import Foundation
import PackagePlugin

/// Compiles the language files of a target into Swift, one file for each area of words.
///
/// The target's folder links to the languages: `Sources/Words/Languages -> ../../Languages`. Through the link SwiftPM sees
/// the files as the target's own, so that it plans anew when one is added or removed.
@main
struct CompileLanguages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        let link = target.directoryURL.appending(path: "Languages")
        let folder = link.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: folder.path) else {
            Diagnostics.error("\(link.path) must be a link to the languages")
            return []
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".strings") && $0.contains("/") }
            .sorted()
        let outputs = Set(names.compactMap { $0.split(separator: "/").last?.dropLast(8) }).sorted().map { area in
            context.pluginWorkDirectoryURL.appending(path: "Strings.\(area).swift")
        }
        return [
            .buildCommand(
                displayName: "Compiling the languages of \(target.name)",
                executable: try context.tool(named: "LanguageCompiler").url,
                arguments: [folder.path, context.pluginWorkDirectoryURL.path] + names,
                inputFiles: names.map { link.appending(path: $0) },
                outputFiles: outputs
            )
        ]
    }
}
