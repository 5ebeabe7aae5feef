import Foundation
import PackagePlugin

/// Compiles the templates of a target into Swift.
///
/// The target's folder links to the templates: `Sources/Desk/Templates -> ../../Templates`. Through the link SwiftPM
/// sees the templates as files of the target, so that it plans anew when one is added or removed.
@main
struct CompileTemplates: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        let link = target.directoryURL.appending(path: "Templates")
        let folder = link.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: folder.path) else {
            Diagnostics.error("\(link.path) must be a link to the templates")
            return []
        }
        let outputs = context.pluginWorkDirectoryURL
        let namespace = outputs.appending(path: "Templates.swift")

        var inputFiles: [URL] = []
        var outputFiles = [namespace]
        var arguments = [folder.path, namespace.path, siblings(of: target).joined(separator: ",")]
        for name in try templates(in: folder) {
            let output = outputs.appending(path: "Template.\(name.replacing("/", with: ".")).swift")
            inputFiles.append(link.appending(path: name))
            outputFiles.append(output)
            arguments += [name, output.path]
        }
        return [
            .buildCommand(
                displayName: "Compiling the templates of \(target.name)",
                executable: try context.tool(named: "TemplateCompiler").url,
                arguments: arguments,
                inputFiles: inputFiles,
                outputFiles: outputFiles
            )
        ]
    }

    /// The targets that this one depends on, whose types its templates may use; HTML they use always.
    private func siblings(of target: SwiftSourceModuleTarget) -> [String] {
        target.dependencies.compactMap { dependency in
            if case .target(let sibling) = dependency, sibling.name != "HTML" { sibling.name } else { nil }
        }.sorted()
    }

    private func templates(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".html") }.sorted()
    }
}
