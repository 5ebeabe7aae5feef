import Foundation
package import Storage
import Synchronization

/// Knows whether this process gets on with its work.
package final class Pulse: Sendable {
    /// From then on the operator is alerted.
    package static let alarmAfter = Duration.seconds(300)

    /// This process, for as long as it lives.
    let server = UUID()
    /// Since when work has been seen to wait, with none done.
    private let waitingSince = Mutex<ContinuousClock.Instant?>(nil)

    package init() {}

    /// A notification was applied, or found to be applied already.
    func worked() {
        waitingSince.withLock { $0 = nil }
    }

    /// Takes down whether anything waits.
    func sees(waiting: Bool, at now: ContinuousClock.Instant = .now) {
        waitingSince.withLock { since in
            since = waiting ? since ?? now : nil
        }
    }

    /// How long work has waited and none was done; nil while it is done, or there is none.
    package func stalledFor(at now: ContinuousClock.Instant = .now) -> Duration? {
        waitingSince.withLock { $0.map { $0.duration(to: now) } }
    }
}

extension BackOffice {
    /// Writes that this process runs and how it gets on, and says how long it has not.
    ///
    /// - Parameter isWorker: whether it applies notifications.
    @discardableResult
    package func beat(isWorker: Bool, timeout: Duration? = nil) async throws -> Duration? {
        if isWorker { pulse.sees(waiting: try await database.hasWork(timeout: timeout)) }
        let stalledFor = isWorker ? pulse.stalledFor() : nil
        try await database.beat(as: pulse.server, isWorker: isWorker, stalledFor: stalledFor, timeout: timeout)
        return stalledFor
    }
}

extension WorkStatus {
    /// For how many minutes nothing has been applied though something waits; nil while all is well.
    package var alarm: Alarm? {
        if isWaiting, workers == 0 { return .nobodyWorks }
        guard isWaiting, let stalledFor, stalledFor >= Pulse.alarmAfter / .seconds(1) else { return nil }
        return .nothingApplied(minutes: Int(clamping: Int64(stalledFor / 60)))
    }

    /// What an operator must look at.
    package enum Alarm: Hashable, Sendable {
        case nobodyWorks
        case nothingApplied(minutes: Int)
    }
}
