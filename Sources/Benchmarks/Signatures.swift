import ArgumentParser
import Foundation

/// Measures the number of notifications that the cores could check if there were nothing else to do.
struct Signatures: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check three signatures a notification on several threads, and nothing else."
    )

    @Option(help: "How many threads.")
    var threads = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "For how long.")
    var seconds = 5.0

    func run() throws {
        let sample = try SampleNotification()
        let messages = sample.messages
        guard messages.count == 3 else { throw ExitCode.failure }
        let rate = try CheckRate.measure(threads: threads, seconds: seconds) { messages.allSatisfy(\.isAuthentic) }
        try Finding(name: "signatures", value: rate, unit: "notifications/s").say()
    }
}
