import Billing
import Synchronization

/// The progress of filling a demo, for pages, readiness and the terminal to say.
package final class FillingProgress: Sendable {
    private let reached = Mutex<Double?>(nil)

    package init() {}

    /// In whole percent, 0 to 99; nil while nothing is being filled in.
    package var percent: Int? {
        reached.withLock { $0 }.map { min(Int(bounding: $0 * 100), 99) }
    }

    /// It never goes back.
    ///
    /// - Parameter share: the share of everything, 0 to 1.
    package func reach(_ share: Double) {
        reached.withLock { $0 = max($0 ?? 0, min(max(share, 0), 1)) }
    }

    package func end() {
        reached.withLock { $0 = nil }
    }
}
