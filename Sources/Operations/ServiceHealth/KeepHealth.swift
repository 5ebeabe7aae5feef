import Billing
import Foundation
import Storage

extension BackOffice {
    /// The time, in seconds, for which service metrics are kept.
    static let healthMemory: TimeInterval = 90 * 86_400

    /// A store gives up sooner (Apple after five more tries, the last six and a half days after the first): what is
    /// older when it arrives was sent in from its history, and says nothing about how quick we are. Replayed histories
    /// are not counted.
    private var oldestDelivery: TimeInterval {
        switch recording.time {
        case .whenApplied: 7 * 86_400
        case .whenSigned: 3_600
        }
    }

    /// Writes this process's counts since the last time; counts that cannot be written are kept for the next.
    ///
    /// - Returns: the number of cells.
    package func writeHealth() async throws -> Int {
        let cells = health.take(at: database.now)
        guard !cells.isEmpty else { return 0 }
        do {
            try await database.add(cells)
        } catch {
            health.giveBack(cells)
            throw error
        }
        return cells.count
    }

    /// Counts how the inbox stands.
    package func sampleInbox() async throws {
        let inbox = try await database.inboxBacklog()
        health.stands(.queueAge, at: inbox.age)
        health.stands(.waitingNotifications, at: Double(inbox.waiting))
        for (app, count) in inbox.failed {
            health.stands(.failedNotifications, of: app.description, at: Double(count))
        }
    }

    package func forgetHealth() async throws -> Int {
        try await database.forgetHeartbeats()
        return try await database.forgetHealth(before: database.now.addingTimeInterval(-Self.healthMemory))
    }

    /// Counts a notification that was applied just now.
    func countApplied(_ leased: LeasedNotification) {
        let now = database.now
        health.lasted(.applied, seconds: now.timeIntervalSince(leased.receivedAt))
        guard leased.receivedAt.timeIntervalSince(leased.signedAt) < oldestDelivery else { return }
        health.lasted(.synced, seconds: now.timeIntervalSince(leased.signedAt))
    }
}
