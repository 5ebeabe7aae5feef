import Foundation
package import Storage
import Synchronization

/// Tells if this process makes progress with its work.
package final class Pulse: Sendable {
    /// The time without progress after which the operator is alerted.
    package static let alarmAfter = Duration.seconds(300)

    /// This process, for as long as it lives.
    let server = UUID()
    /// The time since when work has waited with none done.
    private let waitingSince = Mutex<ContinuousClock.Instant?>(nil)

    package init() {}

    /// A notification was applied, or found to be applied already.
    func worked() {
        waitingSince.withLock { $0 = nil }
    }

    /// Records that work waits, or that none does.
    func sees(waiting: Bool, at now: ContinuousClock.Instant = .now) {
        waitingSince.withLock { since in
            since = waiting ? since ?? now : nil
        }
    }

    /// The time for which work has waited and none was done; nil while work is done, or there is none.
    package func stalledFor(at now: ContinuousClock.Instant = .now) -> Duration? {
        waitingSince.withLock { $0.map { $0.duration(to: now) } }
    }
}

extension BackOffice {
    /// Writes that this process is alive and how its work goes, and returns the time for which that has stalled.
    ///
    /// - Parameter isWorker: true if it applies notifications.
    @discardableResult
    package func beat(isWorker: Bool, timeout: Duration? = nil) async throws -> Duration? {
        if isWorker { pulse.sees(waiting: try await database.hasWork(timeout: timeout)) }
        let stalledFor = isWorker ? pulse.stalledFor() : nil
        try await database.beat(as: pulse.server, isWorker: isWorker, stalledFor: stalledFor, timeout: timeout)
        return stalledFor
    }
}

extension WorkStatus {
    /// The alarm for pending work that nothing applies; nil while all is well.
    package var alarm: Alarm? {
        if isWaiting, workers == 0 { return .nobodyWorks }
        guard isWaiting, let stalledFor, stalledFor >= Pulse.alarmAfter / .seconds(1) else { return nil }
        return .nothingApplied(minutes: Int(clamping: Int64(stalledFor / 60)))
    }

    /// A condition that needs an operator's attention.
    package enum Alarm: Hashable, Sendable {
        case nobodyWorks
        case nothingApplied(minutes: Int)
    }
}
