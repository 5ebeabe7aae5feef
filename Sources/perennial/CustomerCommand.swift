import ArgumentParser
import Foundation
import Server

struct CustomerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "customer",
        abstract: "Manage one customer.",
        subcommands: [Tester.self]
    )

    struct Tester: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark a customer as a tester, or as none any more.",
            discussion: """
                What is bought in a store's sandbox gives access to testers alone, unless the app's catalogue says `sandboxAccess: \
                everybody`. The audit log says who was marked.
                """
        )

        @Option(help: ArgumentHelp("The app, by its slug.", valueName: "slug"))
        var app: String

        @Option(
            help: ArgumentHelp(
                "The customer's id, or the account token that the app passes to the store.",
                valueName: "id"
            )
        )
        var customer: String

        @Flag(help: "Take the mark away.")
        var no = false

        func validate() throws {
            guard UUID(uuidString: customer) != nil else {
                throw ValidationError("--customer is an id, such as 01931f3a-7000-7000-8000-000000000001.")
            }
        }

        func run() async throws {
            guard let id = UUID(uuidString: customer) else { return }
            let since = try await Setting.wiring().markTester(!no, id, of: app)
            print(since.map { "They are a tester since \($0.formatted(.iso8601))." } ?? "They are no tester.")
        }
    }
}
