import ArgumentParser
import Server

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "The log of what staff did.",
        subcommands: [Verify.self]
    )

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
