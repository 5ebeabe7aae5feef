package import Storage
import Synchronization

/// Waits for newer versions of entitlements: one query, five times a second, for all waiting sessions of this server.
///
/// Versions are polled, not announced: a PostgreSQL notification per change would queue all commits for one lock.
package final class EntitlementWatch: Sendable {
    /// The interval at which waiting callers look.
    package static let interval = Duration.milliseconds(200)

    private struct State {
        /// The number of callers that wait with each session.
        var waiting: [CustomerSession.ID: Int] = [:]
        /// The versions of the last read.
        var versions: [CustomerSession.ID: Int64] = [:]
        /// The sessions that `versions` was read for.
        var asked: Set<CustomerSession.ID> = []
        var readAt: ContinuousClock.Instant?
        var isReading = false
    }

    /// The last known version of an entitlement.
    package enum Sighting: Sendable, Equatable {
        case version(Int64)
        /// The session has ended.
        case ended
        /// Nobody has looked yet.
        case unknown
    }

    private let database: Database
    private let state = Mutex(State())

    init(database: Database) {
        self.database = database
    }

    /// Begins to wait; ends with `leave`.
    package func join(_ session: CustomerSession.ID) {
        state.withLock { $0.waiting[session, default: 0] += 1 }
    }

    package func leave(_ session: CustomerSession.ID) {
        state.withLock { state in
            guard let others = state.waiting[session] else { return }
            state.waiting[session] = others > 1 ? others - 1 : nil
        }
    }

    /// The last known version of the session's entitlement; if it is old, the caller reads those of all waiting sessions.
    ///
    /// - Throws: the database's errors.
    package func look(for session: CustomerSession.ID) async throws -> Sighting {
        let now = ContinuousClock.now
        let due = state.withLock { state -> [CustomerSession.ID]? in
            let isFresh = state.readAt.map { now - $0 < Self.interval / 2 } ?? false
            guard !state.isReading, !isFresh || !state.asked.contains(session) else { return nil }
            state.isReading = true
            return Array(state.waiting.keys)
        }
        if let due {
            defer { state.withLock { $0.isReading = false } }
            let versions = try await database.readPrimary { try await $0.entitlementVersions(of: due) }
            state.withLock { ($0.versions, $0.asked, $0.readAt) = (versions, Set(due), ContinuousClock.now) }
        }
        return state.withLock { state in
            guard state.asked.contains(session) else { return .unknown }
            return state.versions[session].map(Sighting.version) ?? .ended
        }
    }
}
