import ArgumentParser
import Dispatch
import Foundation
import Synchronization

/// Counts how often a check passes on several threads at once, when nothing else is done.
enum CheckRate {
    /// Repeats a check on every thread until the time is over.
    ///
    /// - Parameter check: true for what is authentic.
    /// - Returns: checks a second, of all threads together.
    /// - Throws: `ExitCode.failure` if one of them failed: then nothing was measured.
    static func measure(threads: Int, seconds: Double, _ check: @Sendable () -> Bool) throws -> Double {
        let checked = Atomic(0)
        let failed = Atomic(false)
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            var mine = 0
            while ContinuousClock.now < end {
                if !check() { failed.store(true, ordering: .relaxed) }
                mine += 1
            }
            checked.add(mine, ordering: .relaxed)
        }
        guard !failed.load(ordering: .relaxed) else { throw ExitCode.failure }
        return Double(checked.load(ordering: .relaxed)) / ((ContinuousClock.now - start).inMicroseconds / 1e6)
    }
}
