import Postgres
import Synchronization

extension NotificationInbox {
    /// True if the database refused the last notification. A row that it would never accept does not count.
    package var isRefused: Bool { refused.withLock { $0 != nil } }

    /// Stores the refused notification again, to find out if the database accepts it now.
    ///
    /// - Parameter timeout: the time that the caller waits.
    /// - Throws: the database's error when it refuses again.
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

    /// True if the error concerns one row, and not all.
    private static func isOfTheRow(_ error: any Error) -> Bool {
        if DatabaseFailure(error) == .unusableInput { return true }
        guard let sqlClass = (error as? PostgresError)?.sqlState?.sqlClass else { return false }
        return [SQLState.Class.dataException, .integrityConstraintViolation].contains(sqlClass)
    }
}
