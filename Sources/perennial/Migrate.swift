import ArgumentParser
import Logging
import Server

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Bring the database's schema forward.")

    func run() async throws {
        let applied = try await Setting.wiring().migrate()
        print(applied.isEmpty ? "The schema is current." : "Applied \(applied.joined(separator: ", ")).")
    }
}
