import ArgumentParser
import Dispatch
import Foundation
import StoreSimulator
import Synchronization

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
        let checked = Atomic(0)
        let forged = Atomic(false)
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            var mine = 0
            while ContinuousClock.now < end {
                if !sample.isAuthentic { forged.store(true, ordering: .relaxed) }
                mine += 1
            }
            checked.add(mine, ordering: .relaxed)
        }
        guard !forged.load(ordering: .relaxed) else { throw ExitCode.failure }
        let rate = Double(checked.load(ordering: .relaxed)) / ((ContinuousClock.now - start).inMicroseconds / 1e6)
        try Finding(name: "signatures", value: rate, unit: "messages/s").say()
    }
}
