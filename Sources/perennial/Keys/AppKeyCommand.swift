import ArgumentParser
import Server

struct AppKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-key",
        abstract: "Secret keys of an app's own server: issue, list, revoke.",
        discussion:
            "Two live at a time, so that a server can be switched to the new one before the old one is revoked.",
        subcommands: [Issue.self, List.self, Revoke.self],
        defaultSubcommand: Issue.self
    )

    struct Issue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Issue a secret key; it is shown this once.")

        @Argument(help: "The app, by its slug.")
        var app: String

        @Option(help: "What uses the key.")
        var name: String

        @Option(
            name: .customLong("scope"),
            help:
                "What the key may do: entitlements:read, usage:write, customers:read, tokens:mint, seats:write; may be given several times."
        )
        var scopes: [String]

        func run() async throws {
            print(try await Setting.wiring().issueAppKey(named: name, of: app, scopes: scopes))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "List an app's secret keys, live and new ones first: id, name, scopes, who made it, state, last use."
        )

        @Argument(help: "The app, by its slug.")
        var app: String

        func run() async throws {
            for line in try await Setting.wiring().appKeyLines(of: app) { print(line) }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke one secret key; what uses it is refused at once."
        )

        @Argument(help: "The app, by its slug.")
        var app: String

        @Argument(help: "The key's id, as `app-key list` prints it.")
        var id: String

        @Option(help: "Why, in 10 to 500 characters; it is kept in the audit log.")
        var reason: String

        func run() async throws {
            print(try await Setting.wiring().revokeAppKey(id, of: app, reason: reason))
        }
    }
}
