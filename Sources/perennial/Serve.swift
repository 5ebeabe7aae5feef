import ArgumentParser
import Server

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve pages, APIs and webhooks, and apply what the stores say."
    )

    @Flag(help: "Only take in and serve; `perennial work` applies elsewhere.")
    var withoutWorker = false

    func run() async throws {
        let wiring = try Setting.wiring(isServer: true)
        try await wiring.serve(withoutWorker ? .web : [.web, .worker])
    }
}
