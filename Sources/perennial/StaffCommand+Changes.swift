import ArgumentParser
import Server

/// The account to change, and the reason; every change of an account asks for both.
struct AccountChange: ParsableArguments {
    @Argument(help: "The account's e-mail address.")
    var email: String

    @Option(help: "Why, in 10 to 500 characters; it is kept in the audit log.")
    var reason: String
}

extension StaffCommand {
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account and print the link, good once and for 72 hours, that sets its password."
        )

        @OptionGroup var change: AccountChange

        @Option(help: "The name that others see.")
        var name: String

        @Option(help: "support, admin or analyst.")
        var role: String

        @Option(name: .customLong("app"), help: "An app to see; may be given several times. Without, all of them.")
        var apps: [String] = []

        func run() async throws {
            print(
                try await Setting.wiring().inviteStaff(
                    change.email,
                    name: name,
                    role: role,
                    apps: apps,
                    reason: change.reason
                )
            )
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link, good once and for 72 hours, that sets another password."
        )

        @OptionGroup var change: AccountChange

        func run() async throws {
            print(try await Setting.wiring().sendPasswordReset(change.email, reason: change.reason))
        }
    }

    struct Role: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give an account another role.")

        @OptionGroup var change: AccountChange

        @Option(help: "support, admin or analyst.")
        var role: String

        func run() async throws {
            try await Setting.wiring().setRole(of: change.email, to: role, reason: change.reason)
            print("\(change.email) is \(role).")
        }
    }

    struct Apps: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say which apps an account may see; without --app, all of them."
        )

        @OptionGroup var change: AccountChange

        @Option(name: .customLong("app"), help: "An app's slug; may be given several times.")
        var apps: [String] = []

        func run() async throws {
            try await Setting.wiring().setApps(of: change.email, to: apps, reason: change.reason)
            print("\(change.email) sees \(apps.isEmpty ? "all apps" : apps.joined(separator: ", ")).")
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shut an account; its sessions and tokens end at once."
        )

        @OptionGroup var change: AccountChange

        func run() async throws {
            try await Setting.wiring().disableStaff(change.email, reason: change.reason)
            print("\(change.email) is shut.")
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Open an account again, with the password it had.")

        @OptionGroup var change: AccountChange

        func run() async throws {
            try await Setting.wiring().enableStaff(change.email, reason: change.reason)
            print("\(change.email) is open again.")
        }
    }

    struct Sessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List an account's sessions, or end all of them with --end and --reason."
        )

        @Argument(help: "The account's e-mail address.")
        var email: String

        @Flag(help: "End them all.")
        var end = false

        @Option(help: "Why they end, in 10 to 500 characters.")
        var reason: String?

        func validate() throws {
            guard end == (reason != nil) else { throw ValidationError("--end and --reason go together.") }
        }

        func run() async throws {
            guard let reason else {
                for line in try await Setting.wiring().listSessions(of: email) { print(line) }
                return
            }
            try await Setting.wiring().endSessions(of: email, reason: reason)
            print("All sessions of \(email) have ended.")
        }
    }

    struct TwoFactor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "two-factor",
            abstract: "The second factor of an account.",
            subcommands: [Off.self]
        )

        struct Off: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove it, for somebody who lost device and recovery codes."
            )

            @OptionGroup var change: AccountChange

            func run() async throws {
                try await Setting.wiring().removeTwoFactor(of: change.email, reason: change.reason)
                print("\(change.email) signs in with the password alone.")
            }
        }
    }
}
