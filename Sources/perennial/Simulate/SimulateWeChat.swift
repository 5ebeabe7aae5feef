import ArgumentParser
import Foundation
import StoreSimulator

extension Simulate {
    struct WeChat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "wechat",
            abstract: "Play WeChat Pay, and drive the one that is played.",
            discussion: "docs/stores/simulators.md says what it answers and what it can be told to do wrong.",
            subcommands: [
                Serve.self, Buy.self, Refund.self, Settle.self, Change.self, Answer.self, Spoil.self, Refuse.self,
                PlayedStoreBills<Played>.self, PlayedStoreFault<Played>.self, PlayedStoreClock<Played>.self,
                PlayedStoreDeliver<Played>.self, List.self,
            ]
        )

        enum Played: PlayedStore {
            static let name = "wechat"
            static let port = 9_091
        }

        typealias Address = PlayedStoreAddress<Played>
    }
}

extension Simulate.WeChat {
    struct Serve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer WeChat Pay's APIv3 and signing in with WeChat on loopback, until it is stopped."
        )

        @Option(help: "The merchant platform's address for refunds that name none, and for those made there.")
        var refundsTo: String?

        @OptionGroup
        var listening: PlayedStoreListening

        func validate() throws {
            if let refundsTo, URLComponents(string: refundsTo)?.host == nil {
                throw ValidationError(
                    "--refunds-to is an address such as http://127.0.0.1:8080/webhooks/wechat/APP, not \(refundsTo)."
                )
            }
        }

        func run() async throws {
            let shop = try SimulatedWeChatShop(keptIn: try listening.directory, refundURL: refundsTo)
            try await listening.serve(shop, Played.self)
        }
    }

    struct Buy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Somebody pays an order, and it is told.")

        @Argument(help: "Our number of the order.")
        var order: String

        @Option(help: "Who pays.")
        var openid: String?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "wechat/pay",
                ["out_trade_no": .text(order), "openid": .text(openid)]
            )
        }
    }

    struct Refund: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The merchant gives money back on WeChat Pay's own pages."
        )

        @Argument(help: "Our number of the order.")
        var order: String

        @Option(help: "How much, in fen.")
        var fen: Int

        @Option(help: "The refund's number.")
        var number: String

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "wechat/refund",
                ["out_trade_no": .text(order), "out_refund_no": .text(number), "refund": .whole(fen)]
            )
        }
    }

    struct Settle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a refund, or leave it in the air.")

        @Argument(help: "The refund's number.")
        var refund: String

        @Option(name: .customLong("as"), help: "SUCCESS, CLOSED, ABNORMAL or PROCESSING.")
        var status: String

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "wechat/settle",
                ["out_refund_no": .text(refund), "status": .text(status)]
            )
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change how it is from now on: its keys, its balance, how refunds end."
        )

        @Option(help: "Who signs: certificates, publicKey or both.")
        var mode: String?

        @Flag(help: "A new platform certificate signs; the old ones still count.")
        var rotate = false

        @Option(help: "The merchant's balance in fen, from which refunds are paid.")
        var balance: Int?

        @Option(help: "How refunds end: SUCCESS, CLOSED, ABNORMAL or PROCESSING.")
        var refunds: String?

        @Option(help: "After how many seconds they do; without it they stay PROCESSING.")
        var after: Int?

        @OptionGroup
        var address: Address

        func validate() throws {
            guard mode != nil || rotate || balance != nil || refunds != nil else {
                throw ValidationError("Nothing is to change: --mode, --rotate, --balance or --refunds.")
            }
        }

        func run() async throws {
            if let mode { try await address.tell("POST", "wechat/mode", ["mode": .text(mode)]) }
            if rotate { try await address.tell("POST", "wechat/rotate") }
            if let balance { try await address.tell("POST", "wechat/balance", ["fen": .whole(balance)]) }
            guard let refunds else { return }
            try await address.tell(
                "POST",
                "wechat/refunds",
                ["status": .text(refunds), "seconds": .whole(after)]
            )
        }
    }

    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Spoil the signature of the next answers.",
            discussion: "Moods: probe, stale, unknownSerial, otherKey, unsigned, tampered."
        )

        @Argument(help: "The mood.")
        var mood: String

        @Option(help: "Only answers to paths with this in them.")
        var path: String?

        @Option(help: "How many.")
        var times: Int?

        @Option(help: "How many seconds ago `stale` was signed.")
        var seconds: Int?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "wechat/answers",
                [
                    "mood": .text(mood), "path": .text(path), "times": .whole(times),
                    "seconds": .whole(seconds),
                ]
            )
        }
    }

    struct Spoil: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Spoil the next notifications: drop, double, delay or forge them.",
            discussion: """
                Moods: dropped, twice, delayed, probe, stale, unknownSerial, otherKey, unsigned, tampered, wrongAssociatedData, \
                truncatedCiphertext, otherMerchant, otherApp, otherAmount.
                """
        )

        @Argument(help: "The mood.")
        var mood: String

        @Option(help: "How many.")
        var times: Int?

        @Option(help: "How long one is `delayed`, or how many seconds ago it was signed when it is `stale`.")
        var seconds: Int?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "wechat/spoil",
                ["mood": .text(mood), "times": .whole(times), "seconds": .whole(seconds)]
            )
        }
    }

    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer the next requests with an error of WeChat Pay's, before anything is done."
        )

        @Argument(help: "The code, such as NOT_ENOUGH.")
        var code: String

        @Option(help: "The HTTP status.")
        var status: Int

        @Option(help: "WeChat Pay's words.")
        var message: String?

        @Option(help: "Only requests whose path has this in it.")
        var path: String?

        @Option(help: "How many.")
        var times: Int?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "wechat/refusals",
                [
                    "code": .text(code), "status": .whole(status), "message": .text(message),
                    "path": .text(path), "times": .whole(times),
                ]
            )
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the orders, or the notifications with their attempts."
        )

        @Flag(help: "Notifications in place of orders.")
        var notifications = false

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell("GET", notifications ? "wechat/notifications" : "wechat/orders")
        }
    }
}
