import ArgumentParser
import Foundation
import Server

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "What an app sells.",
        subcommands: [Apply.self]
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
            let roots = try simulator.map { path in
                guard let data = FileManager.default.contents(atPath: path) else {
                    throw ValidationError("\(path) cannot be read.")
                }
                return [UInt8](data)
            }
            let changes = try await Setting.wiring().applyCatalog(file, simulator: roots)
            print(changes.isEmpty ? "Nothing to change." : changes.joined(separator: "\n"))
        }
    }
}
