package import Storage
import Synchronization

/// Waits for newer versions of entitlements: one query, five times a second, for all waiting sessions of this server.
///
/// What is waited for is read, not announced: a notification of PostgreSQL's for each change would have all commits queue for one lock.
package final class EntitlementWatch: Sendable {
    /// How often whoever waits looks.
    package static let interval = Duration.milliseconds(200)

    private struct State {
        /// How many wait with each session.
        var waiting: [CustomerSession.ID: Int] = [:]
        /// As they were read last.
        var versions: [CustomerSession.ID: Int64] = [:]
        /// Those that `versions` was read for.
        var asked: Set<CustomerSession.ID> = []
        var readAt: ContinuousClock.Instant?
        var isReading = false
    }

    /// What is known of an entitlement.
    package enum Sighting: Sendable, Equatable {
        case version(Int64)
        /// Its session has.
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

    /// What was seen of the session's entitlement last; whoever comes when that is old looks for all.
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
