import ArgumentParser
import Server

struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Apply what the stores said, without serving anything.")

    @Flag(help: "Work off what is due, then end.")
    var once = false

    @Flag(help: "Try again what was parked as failed; implies --once.")
    var retryFailed = false

    func run() async throws {
        let wiring = try Setting.wiring(isServer: !once && !retryFailed)
        guard once || retryFailed else { return try await wiring.serve(.worker) }
        let count = try await wiring.drain(retryingFailed: retryFailed)
        print(count == 1 ? "1 notification was taken." : "\(count) notifications were taken.")
    }
}
