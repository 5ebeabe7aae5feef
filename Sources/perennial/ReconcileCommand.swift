import ArgumentParser
import Server

struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Ask a store what it sent, and take in what is missing.",
        discussion: """
            A server does this each hour by itself. Every notification that the store says it sent is read and goes through the same \
            intake as one that it delivers; subscriptions that are past their end without a word are asked for. Ends with 1 when \
            something could not be mended.
            """
    )

    @Argument(help: "The store: apple.")
    var store: String

    @Option(
        help: ArgumentHelp(
            "How many days back to read, 1 to 180; without it since the last time, or for as long as the store remembers.",
            valueName: "days"
        )
    )
    var days: Int?

    @Option(help: ArgumentHelp("Only this app, by its slug.", valueName: "slug"))
    var app: String?

    func validate() throws {
        if let days, !(1...180).contains(days) { throw ValidationError("--days is from 1 to 180.") }
    }

    func run() async throws {
        let findings = try await Setting.wiring().reconcile(store, days: days, app: app)
        for finding in findings { print(finding.text) }
        if findings.contains(where: { !$0.isWell }) { throw ExitCode.failure }
    }
}
