import ArgumentParser
import Server
import StoreSimulator

/// The command line: one program for the server, its maintenance and its demo.
@main
struct Perennial: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "perennial",
        abstract: "The self-hosted back office for the subscriptions that your apps sell.",
        discussion: """
            Settings come from the environment: PERENNIAL_HOST, PERENNIAL_PORT, PERENNIAL_STATE, \
            PERENNIAL_DATABASE_URL, PERENNIAL_READ_DATABASE_URL, PERENNIAL_READ_MAX_AGE, PERENNIAL_PUBLIC_URL, \
            PERENNIAL_TRUSTED_PROXIES, PERENNIAL_STORE_PROXY, PERENNIAL_RATE_LIMITS, PERENNIAL_METRICS_TOKEN, \
            PERENNIAL_METRICS_ADDRESS, PERENNIAL_TWO_FACTOR, PERENNIAL_SECRET, \
            PERENNIAL_SHUTDOWN_SECONDS, PERENNIAL_PATIENCE, \
            PERENNIAL_LOG_LEVEL, PERENNIAL_PG_BINDIR. Without PERENNIAL_DATABASE_URL the program runs a PostgreSQL cluster of its own in \
            PERENNIAL_STATE (default .perennial).
            """,
        version: "perennial 0.9.0",
        subcommands: [
            Serve.self, Work.self, Migrate.self, Demo.self, CatalogCommand.self, StaffCommand.self, AppKeyCommand.self,
            TokenCommand.self, CustomerCommand.self, AuditCommand.self, RollupsCommand.self, RatesCommand.self,
            ReconcileCommand.self,
            AppleCommand.self, ReportsCommand.self,
            SecretCommand.self,
            BackupCommand.self, RestoreCommand.self, UpgradeClusterCommand.self,
            Simulate.self, Doctor.self,
        ]
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            ProcessEnd.leaveIfNeeded(0)
        } catch {
            let text = (error as? SimulatorError).map(text) ?? FailureText.text(of: error)
            let failure: any Error = text.map(Failure.init) ?? error
            ProcessEnd.leaveIfNeeded(exitCode(for: failure).rawValue, saying: fullMessage(for: failure))
            exit(withError: failure)
        }
    }

    private static func text(of error: SimulatorError) -> String {
        switch error.code {
        case .unusableAuthority: "\(error.message) Is PERENNIAL_STATE a directory that you may write to?"
        case .invalidURL, .unusablePort, .unreachable, .refused: error.message
        }
    }

    /// An error in words that are meant for the terminal.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
