import Postgres

/// What a server hears about staff.
package enum StaffSignal: Sendable, Hashable {
    /// Something has changed of sessions, keys, accounts, apps, or what waits in them.
    case changed
    /// Changes are not heard of until the next `changed`.
    case deaf
}

extension Database {
    /// Hears of what any server or command changes about staff, from now on; survives the loss of the connection.
    package func staffSignals() async throws -> some AsyncSequence<StaffSignal, any Error> & Sendable {
        try await writing.listen(to: "staff").map { $0 == .disconnected ? .deaf : .changed }
    }
}
