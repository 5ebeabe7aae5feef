import ArgumentParser
import Foundation
import Server
import StoreSimulator

extension Simulate {
    struct Apple: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apple",
            abstract: "Play the App Store: buy something and see what the app would send, or send the lives of many.",
            discussion: """
                Signs with the test authority in --authority, which is made on first use. An app must trust its root, as the demo's \
                does: perennial catalog apply FILE --simulator $(perennial simulate apple keys)
                """,
            subcommands: [Send.self, Keys.self, Buy.self] + AppleTurns.all,
            defaultSubcommand: Send.self
        )
    }
}

extension Simulate.Apple {
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "send",
            abstract: "Send all notifications of many customers' lives. It is what `apple` does without a further word."
        )

        @OptionGroup
        var lives: SimulatedLives

        @Flag(help: "Send in any order, the same for the same seed.")
        var shuffle = false

        @Option(help: "How often each notification is sent.")
        var duplicate = 1

        @Option(help: "How many requests are under way at once.")
        var concurrency = 16

        @Option(help: "The directory of the test authority.")
        var authority: String?

        @Option(help: "The server, such as http://127.0.0.1:8080.")
        var to: String

        func validate() throws {
            try Whole.number(duplicate, isIn: 1...1_000, of: "--duplicate")
            try Whole.number(concurrency, isIn: 1...1_024, of: "--concurrency")
        }

        func run() async throws {
            let notifications = try lives.notifications().filter { !$0.isLost }.map(\.notification)
            let signer = AppleSigner(authority: try TestAuthority.kept(in: try Simulate.directory(authority)))
            let delivery = Delivery(
                url: WebhookAddress.webhook(of: to),
                order: shuffle ? .shuffled(seed: lives.seed) : .inOrder,
                copies: duplicate,
                concurrency: concurrency
            )
            let bar = ProgressLine("sent", of: notifications.count * duplicate)
            let report = try await delivery.send(notifications, signedBy: signer) { bar.show($0.sent) }
            bar.finish()
            print(
                "\(report.accepted) of \(report.sent) accepted in \(report.duration.formatted()), \(report.retried) sent again."
            )
            guard report.refused.isEmpty else {
                for (status, count) in report.refused.sorted(by: { $0.key < $1.key }) {
                    print(status == 0 ? "\(count) without an answer" : "\(count) refused with \(status)")
                }
                throw ExitCode.failure
            }
        }
    }

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the keys where there are none. Shows the file of their root, for catalog apply --simulator."
        )

        @Option(help: "The directory of the test authority.")
        var authority: String?

        func run() throws {
            let directory = try Simulate.directory(authority)
            _ = try TestAuthority.kept(in: directory)
            print(URL(filePath: directory).standardizedFileURL.appending(path: "root.der").path)
        }
    }

    struct Buy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "A customer buys something. Shows what the store signs, and what the app sends to prove it.",
            discussion: """
                The customer is made when they are named for the first time. What follows is a word of its own: renew, cancel, restart, \
                grace, retry, expire, refund.
                """
        )

        @Argument(help: "The product, by the store's id, such as com.readmigo.pro.yearly.")
        var product: String

        @Option(help: ArgumentHelp("The app, by its slug.", valueName: "slug"))
        var app: String

        @Option(help: ArgumentHelp("The app's own id of the customer.", valueName: "id"))
        var customer = "user-4711"

        @Flag(help: "It was bought so long ago that its first period has just ended.")
        var ended = false

        @Flag(help: "The store does not tell the server: only what the app sends counts.")
        var untold = false

        @OptionGroup
        var server: TriedServer

        func run() async throws {
            let sale = try await Setting.wiring().tryout(product, of: app, by: customer)
            let (directory, signer) = try server.signer()
            var purchases = try TriedPurchases(keptIn: directory)
            let purchase = TriedPurchase(
                of: product,
                for: app,
                bundleID: sale.bundleID,
                appAppleID: sale.appAppleID,
                period: sale.period,
                isConsumable: sale.isConsumable,
                price: sale.price,
                appAccountToken: sale.accountToken,
                at: ended ? sale.startOfPeriodThatHasEnded(by: Date()) : Date()
            )
            try purchases.keep(purchase)
            Console.say("The store signs:\n\n\(purchase.description)\n")
            Console.say("It is \(customer)'s of \(app), whose account token it bears.")
            if !untold { try await server.tell(purchase.announcement, signedBy: signer) }
            Console.say(
                """

                The app proves the purchase, and is answered by the plan:

                curl -X POST \(try server.address)/subscriptions/verify \\
                  -H 'Authorization: Bearer \(sale.accessToken)' -H 'Content-Type: application/json' \\
                  -d '{"signedTransactions": ["\(try purchase.signed(by: signer))"]}'
                """
            )
        }
    }
}

/// The server to which the simulated App Store tells what it sells, and the keys with which it signs.
struct TriedServer: ParsableArguments {
    @Option(help: "The server; on this machine, at PERENNIAL_PORT, when absent.")
    var to: String?

    @Option(help: "The directory of the test authority.")
    var authority: String?

    var address: String {
        get throws {
            if let to { return to.hasSuffix("/") ? String(to.dropLast()) : to }
            return "http://127.0.0.1:\(try Setting.configuration().port)"
        }
    }

    /// The directory of the keys, and what signs with them.
    func signer() throws -> (String, AppleSigner) {
        let directory = try Simulate.directory(authority)
        return (directory, AppleSigner(authority: try TestAuthority.kept(in: directory)))
    }

    /// Sends it, and says that it has arrived.
    func tell(_ message: SimulatedMessage, signedBy signer: AppleSigner) async throws {
        let delivery = Delivery(url: WebhookAddress.webhook(of: try address), patience: .seconds(5))
        let report = try await delivery.send(signedPayloads: [try signer.sign(message)])
        guard report.accepted == 1 else {
            let status = report.refused.keys.first ?? 0
            throw SimulatorError(
                .refused,
                status == 0 ? "\(delivery.url) does not answer." : "\(delivery.url) refuses it with \(status)."
            )
        }
        let what = [message.type, message.subtype].compactMap { $0 }.joined(separator: "/")
        Console.say("The store tells \(delivery.url) of \(what), which has taken it in.")
    }
}
