import ArgumentParser
import Foundation
import Server

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "What an app sells.",
        subcommands: [Apply.self, Preview.self]
    )

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the stored catalogue equal to a file; says what it changed."
        )

        @Argument(help: "A catalogue in YAML, such as Catalogs/readmigo.yaml.")
        var file: String

        @Option(
            help: """
                The root certificate (DER) of a test authority, and a second time that of its receipts; the app then trusts \
                them instead of Apple.
                """
        )
        var simulator: [String] = []

        func run() async throws {
            let changes = try await Setting.wiring().applyCatalog(file, simulator: try read(simulator))
            print(changes.isEmpty ? "Nothing to change." : changes.joined(separator: "\n"))
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say what applying a file would change, and for how many customers; changes nothing."
        )

        @Argument(help: "A catalogue in YAML, such as Catalogs/readmigo.yaml.")
        var file: String

        @Flag(help: "As JSON, for programs.")
        var json = false

        @Option(
            help: """
                The root certificate (DER) of a test authority, and a second time that of its receipts; the app then trusts \
                them instead of Apple.
                """
        )
        var simulator: [String] = []

        func run() async throws {
            let preview = try await Setting.wiring()
                .previewCatalog(file, simulator: try read(simulator), asJSON: json)
            print(preview.text)
            if preview.isRefused { throw ExitCode.failure }
        }
    }
}

/// The bytes of some files.
private func read(_ paths: [String]) throws -> [[UInt8]] {
    try paths.map { path in
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("\(path) cannot be read.")
        }
        return [UInt8](data)
    }
}
