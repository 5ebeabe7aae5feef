import ArgumentParser
import Foundation
import Server

struct StaffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "staff",
        abstract: "Who may use the dashboard and the admin API.",
        subcommands: [
            Add.self, Invite.self, Password.self, Reset.self, Role.self, Apps.self, Disable.self, Enable.self,
            Sessions.self, TwoFactor.self, Token.self, List.self,
        ]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account; the password is read from the terminal or standard input."
        )

        @Argument(help: "The e-mail address to sign in with.")
        var email: String

        @Option(help: "The name that others see.")
        var name: String

        @Option(help: "support, admin or analyst.")
        var role: String

        func run() async throws {
            let password = try PasswordPrompt.read()
            try await Setting.wiring().addStaff(email, name: name, role: role, password: password)
            print("\(email) can sign in.")
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set another password and end the account's sessions."
        )

        @Argument(help: "The account's e-mail address.")
        var email: String

        func run() async throws {
            try await Setting.wiring().setPassword(of: email, to: try PasswordPrompt.read())
            print("The password of \(email) is set; its sessions have ended.")
        }
    }

    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Issue a key to the admin API with the account's role; it is shown this once."
        )

        @Argument(help: "The account's e-mail address.")
        var email: String

        @Option(help: "What the key is for.")
        var name: String

        @Option(
            name: .customLong("scope"),
            help: "What the key may do, such as orders:read; may be given several times. Without, all the role may."
        )
        var scopes: [String] = []

        @Option(help: "After how many days it ends; without, it does not.")
        var days: Int?

        func run() async throws {
            print(try await Setting.wiring().issueToken(named: name, of: email, scopes: scopes, days: days))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "All accounts.")

        func run() async throws {
            for line in try await Setting.wiring().staffLines() { print(line) }
        }
    }
}
