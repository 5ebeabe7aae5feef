import ArgumentParser
import Foundation
import Server
import StoreSimulator

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a store: what it sends, and what it answers.",
        subcommands: [Apple.self, AppleServer.self, WeChat.self, Alipay.self, Google.self]
    )

    struct Apple: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Play the App Store.",
            discussion: """
                Signs with the test authority in --authority, which is made on first use. The server must trust its \
                root: perennial catalog apply FILE --simulator DIRECTORY/root.der
                """
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

    /// Where the test authority is kept.
    static func directory(_ given: String?) throws -> String {
        try given ?? Setting.configuration().stateDirectory.appending(path: "simulator").path
    }
}

/// The address at which a server takes a store's notifications.
enum WebhookAddress {
    /// A bare server address gets the path; a longer one is taken as it is.
    static func webhook(of server: String, _ path: String = "/webhooks/apple") -> String {
        let bare = server.hasSuffix("/") ? String(server.dropLast()) : server
        let own = bare.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
        return own.isEmpty ? bare + path : bare
    }
}
