import ArgumentParser
import Server

struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "What seals things in the database.",
        subcommands: [Forget.self]
    )

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Remove what a lost secret sealed: everybody's second factor, uploaded store keys and secrets of logins. The next start makes a new secret.",
            discussion: "People sign in with their password alone until they set up two-factor sign-in again."
        )

        @Option(help: "Why; the audit log keeps it.")
        var reason: String

        func run() async throws {
            let emails = try await Setting.wiring().forgetSecret(reason: reason)
            print("The secret is forgotten.")
            for email in emails { print("\(email) has no two-factor sign-in any more.") }
        }
    }
}
