import ArgumentParser
import Foundation
import Synchronization

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
        let checked = Atomic(0)
        let forged = Atomic(false)
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            var mine = 0
            while ContinuousClock.now < end {
                for message in messages where !message.isAuthentic { forged.store(true, ordering: .relaxed) }
                mine += 1
            }
            checked.add(mine, ordering: .relaxed)
        }
        guard !forged.load(ordering: .relaxed), messages.count == 3 else { throw ExitCode.failure }
        let rate = Double(checked.load(ordering: .relaxed)) / ((ContinuousClock.now - start).inMicroseconds / 1e6)
        try Finding(name: "signatures", value: rate, unit: "notifications/s").say()
    }
}
