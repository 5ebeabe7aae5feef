import ArgumentParser
import Foundation
import StoreSimulator

/// Measures the number of messages that the cores could check if there were nothing else to do.
struct ShopSignatures: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the RSA signature of one message on several threads, and nothing else."
    )

    @Option(help: "How many bytes are signed.")
    var bytes = 1_000

    @Option(help: "How many threads.")
    var threads = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "For how long.")
    var seconds = 5.0

    func run() throws {
        let sample = try SignedSample(length: bytes)
        let rate = try CheckRate.measure(threads: threads, seconds: seconds) { sample.isAuthentic }
        try Finding(name: "signatures", value: rate, unit: "messages/s").say()
    }
}
