import Foundation
import PackagePlugin

/// Compiles files into a target, so that the program needs nothing beside itself.
///
/// What is embedded is written down as links in the target's folder: with
/// `Sources/Storage/Embedded/migrations -> ../../../sql/migrations`, the target has `EmbeddedFiles.migrations`.
/// Through the link SwiftPM sees the files as the target's own, so that it plans anew when one is added or removed.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let links = target.directoryURL.appending(path: "Embedded")
        guard FileManager.default.fileExists(atPath: links.path) else {
            Diagnostics.error("\(links.path) must hold links to the folders to embed")
            return []
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        var inputFiles: [URL] = []
        var arguments = [output.path]
        for name in try FileManager.default.contentsOfDirectory(atPath: links.path).sorted() {
            let link = links.appending(path: name)
            arguments += [name, link.resolvingSymlinksInPath().path]
            inputFiles += try files(in: link)
        }
        return [
            .buildCommand(
                displayName: "Embedding files into \(target.name)",
                executable: try context.tool(named: "FileEmbedder").url,
                arguments: arguments,
                inputFiles: inputFiles,
                outputFiles: [output]
            )
        ]
    }

    private func files(in link: URL) throws -> [URL] {
        let folder = link.resolvingSymlinksInPath()
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().compactMap { name in
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            let values = try folder.appending(path: name).resourceValues(forKeys: [.isDirectoryKey])
            return isHidden || values.isDirectory == true ? nil : link.appending(path: name)
        }
    }
}
