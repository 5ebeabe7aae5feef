import Postgres
import Synchronization

extension NotificationInbox {
    /// Whether the database would not take what was to be stored the last time. A row that it would never take does not count.
    package var isRefused: Bool { refused.withLock { $0 != nil } }

    /// Stores what the database would not take the last time, and so finds out whether it does now.
    ///
    /// - Parameter timeout: how long the caller waits.
    /// - Throws: its error when it does not.
    package func tryAgain(timeout: Duration) async throws {
        guard let notification = refused.withLock({ $0 }) else { return }
        do {
            _ = try await database.insert(
                [notification],
                after: Database.lockTimeout(within: timeout),
                timeout: timeout
            )
        } catch {
            guard Self.isOfTheRow(error) else { throw error }
        }
        refused.withLock { last in
            // Another one may have been refused meanwhile.
            if last?.id == notification.id { last = nil }
        }
    }

    func note(_ notification: ReceivedNotification, refusedFor error: any Error) {
        guard !Self.isOfTheRow(error) else { return }
        refused.withLock { $0 = notification }
    }

    /// What the database says of one row, and not of all.
    private static func isOfTheRow(_ error: any Error) -> Bool {
        if DatabaseFailure(error) == .unusableInput { return true }
        guard let sqlClass = (error as? PostgresError)?.sqlState?.sqlClass else { return false }
        return [SQLState.Class.dataException, .integrityConstraintViolation].contains(sqlClass)
    }
}
