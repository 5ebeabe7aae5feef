import Postgres

/// A signal to a server about staff.
package enum StaffSignal: Sendable, Hashable {
    /// Sessions, keys, accounts, apps, or the work that waits in them have changed.
    case changed
    /// Changes go unnoticed until the next `changed`.
    case deaf
}

extension Database {
    /// Hears of what any server or command changes about staff, from now on; survives the loss of the connection.
    package func staffSignals() async throws -> some AsyncSequence<StaffSignal, any Error> & Sendable {
        try await writing.listen(to: "staff").map { $0 == .disconnected ? .deaf : .changed }
    }
}
