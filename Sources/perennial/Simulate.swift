import ArgumentParser
import Foundation
import Server
import StoreSimulator

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a store: simulated subscribers, sent as signed notifications.",
        subcommands: [Apple.self]
    )

    struct Apple: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Play the App Store.",
            discussion: """
                Signs with the test authority in --authority, which is made on first use. The server must trust its \
                root: perennial catalog apply FILE --simulator DIRECTORY/root.der
                """
        )

        @Option(help: "How many customers.")
        var customers = 100

        @Option(help: "How many months of their history.")
        var months = 24

        @Option(help: "The same seed gives the same subscribers.")
        var seed: UInt64 = 1

        @Flag(help: "Send in any order, the same for the same seed.")
        var shuffle = false

        @Option(help: "How often each notification is sent.")
        var duplicate = 1

        @Option(help: "How many requests are under way at once.")
        var concurrency = 16

        @Option(help: "The day that the history ends before, as YYYY-MM-DD in UTC; today when absent.")
        var until: String?

        @Option(help: "The directory of the test authority.")
        var authority: String?

        @Option(help: "The server, such as http://127.0.0.1:8080.")
        var to: String

        func validate() throws {
            try Whole.number(customers, isIn: 1...1_000_000, of: "--customers")
            try Whole.number(months, isIn: 1...600, of: "--months")
            try Whole.number(duplicate, isIn: 1...1_000, of: "--duplicate")
            try Whole.number(concurrency, isIn: 1...1_024, of: "--concurrency")
            _ = try end()
        }

        func run() async throws {
            let subscribers = SimulatedSubscribers(
                seed: seed,
                customers: customers,
                months: months,
                endingAt: try end(),
                catalog: .readmigo
            )
            let directory =
                try authority
                ?? Setting.configuration().stateDirectory.appending(path: "simulator").path
            let signer = AppleSigner(authority: try TestAuthority.kept(in: directory))
            let delivery = Delivery(
                url: Address.webhook(of: to),
                order: shuffle ? .shuffled(seed: seed) : .inOrder,
                copies: duplicate,
                concurrency: concurrency
            )
            let notifications = subscribers.notifications()
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

        /// 2000-01-01 to 2999-12-31
        private static let days =
            Date(timeIntervalSince1970: 946_684_800)...Date(timeIntervalSince1970: 32_503_593_600)

        private func end() throws -> Date {
            guard let until else {
                return Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
            }
            guard let day = try? Date("\(until)T00:00:00Z", strategy: .iso8601), Self.days.contains(day) else {
                throw ValidationError("--until is a day from 2000 to 2999, such as 2026-11-21.")
            }
            return day
        }
    }
}

/// Where a server takes Apple's notifications.
enum Address {
    /// A bare server address gets the path; a longer one is taken as it is.
    static func webhook(of server: String) -> String {
        let bare = server.hasSuffix("/") ? String(server.dropLast()) : server
        let path = bare.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
        return path.isEmpty ? bare + "/webhooks/apple" : bare
    }
}
