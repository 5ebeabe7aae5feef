import ArgumentParser

/// Measures single pieces of the program in a process of its own, and makes what `bin/bench` sends.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks",
        abstract: "Measure pieces of the program without a server; every result is a line of JSON.",
        subcommands: [Pieces.self, Signatures.self, Requests.self, ShopSignatures.self, ShopRequests.self]
    )
}
