import ArgumentParser
import Server

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "The log of what staff did.",
        subcommands: [List.self, Verify.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the newest entries, one a line: time, actor, action, object, app, before, after, reason.",
            discussion: "What is done by a command of this program names the user of the operating system that ran it."
        )

        @Option(help: "The number of entries, 1 to 1000.")
        var limit = 50

        @Option(help: "An e-mail address, or the program or user that acted.")
        var actor: String?

        @Option(help: "catalog.apply, or catalog for every action on catalogues.")
        var action: String?

        @Option(help: "The app's slug.")
        var app: String?

        func validate() throws {
            try Whole.number(limit, isIn: 1...1_000, of: "--limit")
        }

        func run() async throws {
            let lines = try await Setting.wiring().auditLines(limit: limit, actor: actor, action: action, app: app)
            for line in lines { print(line) }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that nobody changed, removed or slipped in an entry.",
            discussion: """
                Prints a mark of the chain's end. Keep it where this database's administrators cannot change it, and give \
                it back with --mark: then a chain that was made anew is noticed too. Ends with 1 and names the first entry \
                that does not fit.
                """
        )

        @Option(help: "A mark that an earlier check printed.")
        var mark: String?

        func run() async throws {
            print("The audit log is whole. \(try await Setting.wiring().verifyAudit(remembered: mark))")
        }
    }
}
