import ArgumentParser
import Foundation
import Server

struct AppleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple",
        abstract: "Ask Apple about purchases, tell it whose they are, and have it put renewals off.",
        subcommands: [LookUpOrder.self, SetAccountToken.self, AppleExtendCommand.self]
    )

    struct LookUpOrder: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lookup-order",
            abstract: "Show what was bought under an order ID of Apple.",
            discussion: """
                Customers have it from the receipt that Apple sent by e-mail. Apple is asked in production; orders of the sandbox cannot \
                be looked up. A line for each transaction: its id, the original transaction, the product, the price, when it was bought, \
                and the order and the customer here.
                """
        )

        @Argument(help: "The order ID: letters and digits, such as MK5TTTVWJH.")
        var order: String

        @Option(help: ArgumentHelp("The app, by its slug.", valueName: "slug"))
        var app: String

        func run() async throws {
            for line in try await Setting.wiring().lookUpOrder(order, app: app) { print(line) }
        }
    }

    struct SetAccountToken: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-account-token",
            abstract: "Tell Apple whose a purchase is.",
            discussion: """
                Its next transactions and notifications carry the token; the subscription is of the customer with that token from then \
                on. Production is asked first, then the sandbox.
                """
        )

        @Argument(help: "The id of the purchase's original transaction.")
        var transaction: String

        @Option(help: "The app's UUID of the account (appAccountToken).")
        var token: String

        @Option(help: ArgumentHelp("The app, by its slug.", valueName: "slug"))
        var app: String

        @Option(help: "Why; the audit log keeps it.")
        var reason: String

        func validate() throws {
            guard UUID(uuidString: token) != nil else {
                throw ValidationError("--token is a UUID, such as 7e3fb204-2dd1-4d6c-9d2f-5a1a0e2f6b11.")
            }
        }

        func run() async throws {
            print(
                try await Setting.wiring().setAccountToken(
                    UUID(uuidString: token),
                    of: transaction,
                    app: app,
                    reason: reason
                )
            )
        }
    }
}
