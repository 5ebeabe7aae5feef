import ArgumentParser
import Logging
import Server

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Bring the database's schema forward.")

    func run() async throws {
        // It may have to wait for another program, and then says for which.
        let applied = try await Setting.wiring(level: .notice).migrate()
        print(applied.isEmpty ? "The schema is current." : "Applied \(applied.joined(separator: ", ")).")
    }
}
