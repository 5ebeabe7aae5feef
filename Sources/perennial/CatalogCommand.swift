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

        @Option(help: "The root certificate (DER) of a test authority; the app then trusts it instead of Apple.")
        var simulator: String?

        func run() async throws {
            let root = try simulator.map { path in
                guard let data = FileManager.default.contents(atPath: path) else {
                    throw ValidationError("\(path) cannot be read.")
                }
                return [UInt8](data)
            }
            let changes = try await Setting.wiring().applyCatalog(file, simulator: root)
            print(changes.isEmpty ? "Nothing to change." : changes.joined(separator: "\n"))
        }
    }
}
