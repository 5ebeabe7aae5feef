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
            abstract: "Set another password, end the account's sessions and revoke its API keys.",
            discussion: "At a terminal it asks about the keys; elsewhere they are revoked unless --keep-keys is given."
        )

        /// The choice whether the account's API keys are revoked or kept.
        enum Keys: EnumerableFlag {
            case revokeKeys
            case keepKeys

            static func help(for value: Self) -> ArgumentHelp? {
                switch value {
                case .revokeKeys: "Revoke the account's API keys, without asking."
                case .keepKeys: "Leave the account's API keys as they are, without asking."
                }
            }
        }

        @Argument(help: "The account's e-mail address.")
        var email: String

        @Flag var keys: Keys?

        func run() async throws {
            let (keys, email) = (keys, email)
            let revoked = try await Setting.wiring().setPassword(of: email, to: try PasswordPrompt.read()) { count in
                switch keys {
                case .revokeKeys: true
                case .keepKeys: false
                case nil: Self.asks(email, count)
                }
            }
            let end =
                revoked == 0 ? "" : revoked == 1 ? " One API key is revoked." : " \(revoked) API keys are revoked."
            print("The password of \(email) is set; its sessions have ended.\(end)")
        }

        /// The safe answer, to revoke, is the default: for an empty line, and where nobody can answer.
        private static func asks(_ email: String, _ count: Int) -> Bool {
            guard isatty(STDIN_FILENO) == 1 else { return true }
            print("\(email) has \(count) API key\(count == 1 ? "" : "s"). Revoke too? [Y/n] ", terminator: "")
            fflush(nil)
            return !["n", "no"].contains((readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased())
        }
    }

    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keys to the admin API: issue, list, revoke.",
            subcommands: [IssueToken.self, ListTokens.self, RevokeToken.self],
            defaultSubcommand: IssueToken.self
        )
    }

    struct IssueToken: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "issue",
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

        func validate() throws {
            guard let days else { return }
            try Whole.number(days, isIn: 1...3_650, of: "--days")
        }

        func run() async throws {
            print(try await Setting.wiring().issueToken(named: name, of: email, scopes: scopes, days: days))
        }
    }

    struct ListTokens: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List keys to the admin API, good and new ones first: id, owner, name, scopes, state, last use."
        )

        @Argument(help: "The e-mail address of the account whose keys to list; without, everybody's.")
        var email: String?

        func run() async throws {
            for line in try await Setting.wiring().tokenLines(of: email) { print(line) }
        }
    }

    struct RevokeToken: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke one key to the admin API; what uses it is refused at once."
        )

        @Argument(help: "The key's id, as `staff token list` prints it.")
        var id: String

        @Option(help: "Why, in 10 to 500 characters; it is kept in the audit log.")
        var reason: String

        func run() async throws {
            print(try await Setting.wiring().revokeToken(id, reason: reason))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "All accounts.")

        func run() async throws {
            for line in try await Setting.wiring().staffLines() { print(line) }
        }
    }
}
