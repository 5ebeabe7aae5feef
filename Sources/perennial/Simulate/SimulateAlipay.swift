import ArgumentParser
import StoreSimulator

extension Simulate {
    struct Alipay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "alipay",
            abstract: "Play Alipay, and drive the one that is played.",
            discussion: "docs/stores/simulators.md says what it answers and what it can be told to do wrong.",
            subcommands: [
                Serve.self, Scan.self, Buy.self, Refund.self, Finish.self, Answer.self, Spoil.self,
                PlayedStoreBills<Played>.self, PlayedStoreFault<Played>.self, PlayedStoreClock<Played>.self,
                PlayedStoreDeliver<Played>.self, List.self,
            ]
        )

        enum Played: PlayedStore {
            static let name = "alipay"
            static let port = 9_092
        }

        typealias Address = PlayedStoreAddress<Played>
    }
}

extension Simulate.Alipay {
    struct Serve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer as Alipay's gateway on loopback, for payments and signing in, until it is stopped."
        )

        @Flag(help: "In certificate mode; in key mode without it.")
        var certificates = false

        @OptionGroup
        var listening: PlayedStoreListening

        func run() async throws {
            let shop = try SimulatedAlipayShop(keptIn: try listening.directory, usesCertificates: certificates)
            try await listening.serve(shop, Played.self)
        }
    }

    struct Scan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Somebody scans an order's code, or signs in on Alipay's page: from then on Alipay knows it."
        )

        @Argument(help: "Our number of the order, or the text of its code.")
        var order: String

        @OptionGroup
        var address: Address

        func run() async throws { try await address.tell("POST", "alipay/scan", ["order": .text(order)]) }
    }

    struct Buy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Somebody pays an order, and it is told.")

        @Argument(help: "Our number of the order, or the text of its code.")
        var order: String

        @Option(name: .customLong("open-id"), help: "Who pays.")
        var openID: String?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "alipay/pay",
                ["order": .text(order), "openId": .text(openID)]
            )
        }
    }

    struct Refund: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The seller gives money back on Alipay's own pages."
        )

        @Argument(help: "Our number of the order.")
        var order: String

        @Option(help: "How much, in yuan, such as 6.00.")
        var amount: String

        @Option(help: "The refund's number; Alipay's own choice when absent.")
        var number: String?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "alipay/refund",
                ["order": .text(order), "amount": .text(amount), "request": .text(number)]
            )
        }
    }

    struct Finish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End the time for refunds of an order.")

        @Argument(help: "Our number of the order.")
        var order: String

        @OptionGroup
        var address: Address

        func run() async throws { try await address.tell("POST", "alipay/finish", ["order": .text(order)]) }
    }

    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Spoil the next answers to a method.",
            discussion: """
                Moods: refusal and answer (with --code and --sub-code, before anything is done), answerAfterEffect, fundUnchanged, \
                otherCertificate, signFirst, tampered, otherKey, unsigned, twice, gbk.
                """
        )

        @Argument(help: "The mood.")
        var mood: String

        @Option(help: "The method, such as alipay.trade.refund.")
        var method: String

        @Option(help: "Alipay's code, such as 40004.")
        var code: String?

        @Option(help: "Alipay's sub code, such as ACQ.SYSTEM_ERROR.")
        var subCode: String?

        @Flag(help: "A `refusal` is signed, too.")
        var signed = false

        @Option(help: "How many.")
        var times: Int?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "POST",
                "alipay/answers",
                [
                    "mood": .text(mood), "method": .text(method), "code": .text(code),
                    "subCode": .text(subCode), "signed": .flag(signed), "times": .whole(times),
                ]
            )
        }
    }

    struct Spoil: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Spoil notifications from now on; without options they are as they should be."
        )

        @Option(help: "How often each comes at once.")
        var copies: Int?

        @Flag(help: "None leaves.")
        var dropping = false

        @Flag(help: "The newest comes first.")
        var reversed = false

        @Flag(help: "In GBK.")
        var gbk = false

        @Flag(help: "Signed with a key that is not Alipay's.")
        var forged = false

        @Flag(help: "With a member that nobody knows yet.")
        var unknown = false

        @Flag(inversion: .prefixedNo, help: "With an empty member, which is signed or is not.")
        var signsEmpty: Bool?

        @OptionGroup
        var address: Address

        func run() async throws {
            try await address.tell(
                "PUT",
                "alipay/knobs",
                [
                    "copies": .whole(copies), "dropping": .flag(dropping), "reversed": .flag(reversed),
                    "gbk": .flag(gbk), "forged": .flag(forged), "unknown": .flag(unknown),
                    "signsEmpty": .flag(signsEmpty),
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
            try await address.tell("GET", notifications ? "alipay/notices" : "alipay/orders")
        }
    }
}
