import Synchronization

/// The lanes' wait for a customer whom somebody else has locked. One such customer is worth a second; when many are locked, each
/// wait is half as long as the one before, so that the others are soon reached.
final class Patience: Sendable {
    static let longest = Duration.seconds(1)
    static let shortest = Duration.milliseconds(20)

    private let current = Mutex(longest)

    var now: Duration { current.withLock { $0 } }

    /// The customer was locked for all that time.
    func waited() {
        current.withLock { $0 = max($0 / 2, Self.shortest) }
    }

    /// A notification was applied, or failed for a reason of its own.
    func worked() {
        current.withLock { $0 = min($0 * 2, Self.longest) }
    }
}
