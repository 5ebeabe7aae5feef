import ArgumentParser
import Foundation
import Server
import StoreSimulator

/// A store that a process of `perennial simulate STORE serve` plays, and that other commands drive there.
protocol PlayedStore: Sendable {
    /// As in `simulate STORE`, and in the paths that drive it.
    static var name: String { get }
    /// The port that it listens on unless another is named.
    static var port: Int { get }
}

/// The process that is driven.
struct PlayedStoreAddress<Store: PlayedStore>: ParsableArguments {
    @Option(help: "The address that `serve` said; its usual port on this machine when absent.")
    var at: String?

    /// Tells it something, and writes what it answers.
    func tell(
        _ method: String,
        _ path: String,
        _ members: [String: SimulatorDriver.Value] = [:]
    ) async throws {
        let driver = SimulatorDriver(at ?? "http://127.0.0.1:\(Store.port)")
        let answer = try await driver.tell(method, path, members)
        if answer != "{}" { Console.say(answer) }
    }
}

/// The options of a process that plays a store.
struct PlayedStoreListening: ParsableArguments {
    @Option(help: "The port to listen on; 0 for a free one, which is said.")
    var port: Int?

    @Option(help: "The directory of the store's keys.")
    var authority: String?

    func validate() throws {
        if let port { try Whole.number(port, isIn: 0...65_535, of: "--port") }
    }

    var directory: String {
        get throws { URL(filePath: try Simulate.directory(authority)).standardizedFileURL.path }
    }

    /// Listens, says where, and sends notifications until it is stopped.
    func serve(_ shop: some SimulatedShop, _ store: any PlayedStore.Type) async throws {
        try await shop.start(port: port ?? store.port)
        let entry = try shop.keepEntry(as: "\(store.name).yaml", in: directory)
        Console.say("\(shop.url)\nIn the app's catalogue, also in \(entry):\n\nstores:\n\(shop.catalogEntry)\n")
        await shop.deliverForever()
    }
}

/// Advances a played store's time.
struct PlayedStoreClock<Store: PlayedStore>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "clock", abstract: "Advance its time, and send what has become due.")
    }

    @Argument(help: "By how many seconds.")
    var seconds: Int

    @OptionGroup
    var address: PlayedStoreAddress<Store>

    func run() async throws {
        try await address.tell("POST", "clock", ["advanceSeconds": .whole(seconds)])
    }
}

/// Sends what a played store has to tell.
struct PlayedStoreDeliver<Store: PlayedStore>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "deliver", abstract: "Send the notifications that are due now.")
    }

    @OptionGroup
    var address: PlayedStoreAddress<Store>

    func run() async throws { try await address.tell("POST", "deliver") }
}

/// Lets the next requests to a played store fail.
struct PlayedStoreFault<Store: PlayedStore>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "fault",
            abstract: "Let the next requests fail; without a kind, let none fail any more.",
            discussion: """
                Kinds: status, silence, silenceAfterEffect, hangUpAfterEffect, cutAfterEffect, late, malformed, cut, html, empty, \
                null, wrongTypes, page, twice. docs/stores/simulators.md says what each is.
                """
        )
    }

    @Argument(help: "The kind.")
    var kind: String?

    @Option(help: "Only requests whose path has this in it.")
    var path: String?

    @Option(help: "How many of them.")
    var times: Int?

    @Option(help: "The status of `status` and `page`.")
    var status: Int?

    @Option(help: "How late an answer of `late` is.")
    var milliseconds: Int?

    @Option(help: "How many bytes come of an answer that is `cut`.")
    var bytes: Int?

    @OptionGroup
    var address: PlayedStoreAddress<Store>

    func run() async throws {
        guard let kind else { return try await address.tell("DELETE", "faults") }
        try await address.tell(
            "POST",
            "faults",
            [
                "kind": .text(kind), "path": .text(path), "times": .whole(times),
                "status": .whole(status), "milliseconds": .whole(milliseconds),
                "bytes": .whole(bytes),
            ]
        )
    }
}

/// Makes a played store's bills differ from its orders.
struct PlayedStoreBills<Store: PlayedStore>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bills",
            abstract: "Make bills differ from the orders from now on; without options they do not."
        )
    }

    @Option(help: "The number of an order that they do not have; may come again.")
    var hide: [String] = []

    @Option(help: "Another amount of an order, as NUMBER=FEN; may come again.")
    var amount: [String] = []

    @Option(help: "A payment that nobody made, as NUMBER=FEN; may come again.")
    var stray: [String] = []

    @Flag(help: "They break off.")
    var torn = false

    @OptionGroup
    var address: PlayedStoreAddress<Store>

    func run() async throws {
        try await address.tell(
            "PUT",
            "\(Store.name)/bills",
            ["hidden": .list(hide), "amounts": .list(amount), "strays": .list(stray), "torn": .flag(torn)]
        )
    }
}
