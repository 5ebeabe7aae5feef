import Billing
import Foundation
import HTTP
import Storage
import Words

/// Reconciliations in words.
enum SyncText {
    /// - Parameter now: tells one that was broken off from one that runs.
    static func status(of row: Reconciliation, now: Date, _ strings: Strings) -> StatusText {
        if row.problem != nil { return StatusText(strings.syncProblem, strings.syncProblem, "failed") }
        guard row.finishedAt == nil else { return StatusText(strings.syncDone, strings.syncDone, "completed") }
        guard now.timeIntervalSince(row.startedAt) < longest else {
            return StatusText(strings.syncBrokenOff, strings.syncBrokenOff, "failed")
        }
        return StatusText(strings.syncRunning, strings.syncRunning, "pending")
    }

    static func trigger(_ trigger: Reconciliation.Trigger, _ strings: Strings) -> StaticString {
        switch trigger {
        case .schedule: strings.syncBySchedule
        case .command: strings.syncByCommand
        }
    }

    /// In seconds; none takes longer.
    private static let longest: TimeInterval = 6 * 3_600
}
