import Foundation

/// A small package that uses both plugins of this repository, and is really built.
struct FixturePackage {
    let root: URL

    /// Writes the package anew; the targets under test are linked from this repository. Their earlier build is kept beside the
    /// repository's own.
    init() throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        root = repository.appending(path: ".build/fixture")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path) where name != ".build" {
            try FileManager.default.removeItem(at: root.appending(path: name))
        }
        let targets = [
            "Sources/HTML", "Sources/BuildTool", "Sources/LanguageCompiler", "Sources/TemplateCompiler",
            "Sources/FileEmbedder", "Plugins",
        ]
        for target in targets {
            try link(target, to: repository.appending(path: target).resolvingSymlinksInPath().path)
        }
        try link("Sources/Site/Languages", to: "../../Languages")
        try link("Sources/Site/Templates", to: "../../Templates")
        try link("Sources/Site/Embedded/assets", to: "../../../Public")
        try write(Self.manifest, to: "Package.swift")
    }

    func write(_ text: String, to path: String) throws {
        let file = root.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: root.appending(path: path))
    }

    /// Returns the path of a template as diagnostics name it.
    func path(of template: String) -> String {
        root.appending(path: "Templates/\(template)").resolvingSymlinksInPath().path
    }

    /// Returns the path of a language file as diagnostics name it.
    func path(ofLanguage file: String) -> String {
        root.appending(path: "Languages/\(file)").resolvingSymlinksInPath().path
    }

    /// Runs `swift build`; returns its output, and true if it succeeded.
    func build() async throws -> (succeeded: Bool, output: String) {
        try await run("/usr/bin/env", "swift", "build", "--package-path", root.path)
    }

    /// Runs the built program; returns its output.
    func runSite() async throws -> String {
        try await run(root.appending(path: ".build/debug/Site").path).output
    }

    private func run(_ tool: String, _ arguments: String...) async throws -> (succeeded: Bool, output: String) {
        let log = root.appending(path: "output.txt")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(filePath: tool)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        // Waiting must not hold one of the few threads that all tests share.
        let status = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                ended.resume(throwing: error)
            }
        }
        return (status == 0, String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }

    private func link(_ path: String, to destination: String) throws {
        let link = root.appending(path: path)
        try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: destination)
    }

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]

        let package = Package(
            name: "Fixture",
            platforms: [.macOS(.v15)],
            targets: [
                .target(name: "HTML", swiftSettings: settings),
                .target(name: "BuildTool", swiftSettings: settings),
                .executableTarget(name: "LanguageCompiler", dependencies: ["BuildTool"], swiftSettings: settings),
                .executableTarget(name: "TemplateCompiler", dependencies: ["BuildTool"], swiftSettings: settings),
                .executableTarget(name: "FileEmbedder", dependencies: ["BuildTool"], swiftSettings: settings),
                .plugin(name: "CompileLanguages", capability: .buildTool(), dependencies: ["LanguageCompiler"]),
                .plugin(name: "CompileTemplates", capability: .buildTool(), dependencies: ["TemplateCompiler"]),
                .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["FileEmbedder"]),
                .executableTarget(
                    name: "Site",
                    dependencies: ["HTML"],
                    swiftSettings: settings,
                    plugins: ["CompileLanguages", "CompileTemplates", "EmbedFiles"]
                ),
            ],
            swiftLanguageModes: [.v6]
        )
        """
}
