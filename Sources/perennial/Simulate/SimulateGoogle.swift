import ArgumentParser
import Foundation
import StoreSimulator

extension Simulate {
    struct Google: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "google",
            abstract: "Play Google Play, and drive the one that is played.",
            discussion: "docs/stores/simulators.md says what it answers and what it can be told to do wrong.",
            subcommands: [
                Serve.self, Buy.self, Live.self, Refund.self, Message.self, Answer.self, Spoil.self,
                PlayedStoreFault<Played>.self, PlayedStoreClock<Played>.self, PlayedStoreDeliver<Played>.self,
                List.self,
            ]
        )

        enum Played: PlayedStore {
            static let name = "google"
            static let port = 9_093
        }

        typealias Address = PlayedStoreAddress<Played>
    }
}

/// A plan and its price, as the Play Console has them.
struct SimulatedPlanOptions: ParsableArguments {
    @Option(help: "The price, such as 9.99.")
    var price: String?

    @Option(help: "Its currency.")
    var currency: String?

    @Option(help: "The days of a period, of grace or of a pause.")
    var days: Int?

    var members: [String: SimulatorDriver.Value] {
        [
            "price": .text(price), "currency": .text(currency),
            "days": .whole(days),
        ]
    }

    /// The parts of `product:plan`.
    static func named(_ plan: String?) -> [String: SimulatorDriver.Value] {
        let parts = (plan ?? "").split(separator: ":", maxSplits: 1).map(String.init)
        return [
            "product": .text(parts.first),
            "basePlan": .text(parts.dropFirst().first),
        ]
    }
}

extension Simulate.Google {
    struct Serve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Answer as the Google Play Developer API on loopback, and push notifications, until it is stopped."
        )

        @Option(help: "Where notifications go to, such as http://127.0.0.1:8080; none are sent when absent.")
        var webhook: String?

        @Option(name: .customLong("package"), help: "The app's package name.")
        var packageName = "com.readmigo.app"

        @OptionGroup
        var listening: PlayedStoreListening

        func validate() throws {
            if let webhook, URLComponents(string: webhook)?.host == nil {
                throw ValidationError("--webhook is an address such as http://127.0.0.1:8080, not \(webhook).")
            }
        }

        func run() async throws {
            let shop = try SimulatedGoogleShop(
                keptIn: try listening.directory,
                packageName: packageName,
                webhook: webhook.map { WebhookAddress.webhook(of: $0, "/webhooks/google") }
            )
            try await listening.serve(shop, Played.self)
        }
    }

    struct Buy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Somebody buys a plan, or something once, and it is told. Shows the purchase token."
        )

        @Argument(help: "The product and its base plan, such as pro:monthly; of what is bought once the product alone.")
        var plan: String

        @OptionGroup
        var options: SimulatedPlanOptions

        @Option(help: "The app's account token.")
        var account: String?

        @Option(help: "Days that are free at the beginning.")
        var trial: Int?

        @Option(help: "The purchase token whose place it takes.")
        var linked: String?

        @Flag(help: "It is paid in advance, and does not renew.")
        var prepaid = false

        @Flag(help: "By a tester: no money is paid.")
        var test = false

        @Flag(help: "The payment is slow.")
        var pending = false

        @OptionGroup
        var address: Address

        func run() async throws {
            var members = options.members.merging(SimulatedPlanOptions.named(plan)) { _, named in named }
            members["account"] = .text(account)
            members["trial"] = .whole(trial)
            members["linked"] = .text(linked)
            if !plan.contains(":") { members["once"] = .flag(true) }
            for (name, flag) in [("prepaid", prepaid), ("test", test), ("pending", pending)] {
                members[name] = .flag(flag)
            }
            try await address.tell("POST", "google/purchases", members)
        }
    }

    struct Live: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Something happens to a subscription, and it is told. Shows the token that counts from then on.",
            discussion: """
                What: pay, abandon (of a slow payment), renew, grace, hold, cancel, restart, pause, planPause, expire, revoke, \
                dropAddOns, change and changeLater (with --plan and --price), price and priceConfirmed (with --price).
                """
        )

        @Argument(help: "What happens.")
        var what: String

        @Argument(help: "The purchase token.")
        var token: String

        @Option(help: "The plan that it becomes, such as pro:yearly.")
        var plan: String?

        @OptionGroup
        var options: SimulatedPlanOptions

        @OptionGroup
        var address: Address

        func run() async throws {
            var members = options.members.merging(SimulatedPlanOptions.named(plan)) { _, named in named }
            members["what"] = .text(what)
            members["token"] = .text(token)
            try await address.tell("POST", "google/lives", members)
        }
    }

    struct Refund: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an order's money back, or ask about it.",
            discussion: """
                How: refund (access stays, and nobody is told), revoke, refundPart (with --amount), chargeBack (by a bank), review (a bank \
                asks, and the store asks the app).
                """
        )

        @Argument(help: "The order's number.")
        var order: String

        @Option(name: .customLong("as"), help: "How.")
        var what = "refund"

        @Option(help: "How much, such as 3.00.")
        var amount: String?

        @Option(help: "Its currency.")
        var currency: String?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "google/orders",
                [
                    "order": .text(order), "what": .text(what), "amount": .text(amount),
                    "currency": .text(currency),
                ]
            )
        }
    }

    struct Message: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Push a message that is about no purchase: test, or poison, which can never be worked on."
        )

        @Argument(help: "test or poison.")
        var what: String

        @OptionGroup
        var address: Address

        func run() async throws { try await address.tell("POST", "google/messages", ["what": .text(what)]) }
    }

    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let the next answers be others.",
            discussion: """
                Moods: gone (410), unknown (404), quota, forbidden, unauthorized, conflict, hangUpAfterEffect, leavingOut (with --member).
                """
        )

        @Argument(help: "The mood.")
        var mood: String

        @Option(help: "A member that is left out, such as autoRenewEnabled; may come again.")
        var member: [String] = []

        @Option(help: "Only answers to paths with this in them.")
        var path: String?

        @Option(help: "How many.")
        var times: Int?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "google/answers",
                [
                    "mood": .text(mood), "members": .list(member), "path": .text(path),
                    "times": .whole(times),
                ]
            )
        }
    }

    struct Spoil: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Spoil the next notifications: drop, double, delay or forge them.",
            discussion: "Moods: dropped, twice, delayed, wrongAudience, otherAccount, expired, otherKey."
        )

        @Argument(help: "The mood.")
        var mood: String

        @Option(help: "How many.")
        var times: Int?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell("POST", "google/spoil", ["mood": .text(mood), "times": .whole(times)])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the purchases, the notifications with their attempts, or the answers about refunds."
        )

        @Flag(help: "Notifications in place of purchases.")
        var notifications = false

        @Flag(help: "Answers about refunds in place of purchases.")
        var reviews = false

        @OptionGroup
        var address: Address

        func run() async throws {
            let what = notifications ? "notifications" : reviews ? "reviews" : "purchases"
            try await address.tell("GET", "google/\(what)")
        }
    }
}
