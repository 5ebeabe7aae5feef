import Foundation
import Postgres

/// One run of the primary: until it is started anew, or another server takes over.
///
/// The record of who wrote what may have been lost with an earlier run, so a replica must have all that the primary had when this run
/// was first seen.
struct PrimaryRun: Hashable {
    /// No two servers have the same.
    var startedAt: Date
    var timeline: Int
}

/// The state of the primary: how far its log goes, and in which run.
struct PrimaryState: Hashable {
    var position: Int64
    var run: PrimaryRun
    /// The timeline that its data names; nil where the server does not tell.
    var noted: Int?

    init(asking pool: Pool, within patience: Duration) async throws {
        let row = try await pool.query(Self.question, timeout: patience)[0]
        let (position, startedAt, timeline, noted) = try row.decode(Int64.self, Date.self, Int.self, Int?.self)
        self.init(position: position, run: PrimaryRun(startedAt: startedAt, timeline: timeline), noted: noted)
    }

    init(position: Int64, run: PrimaryRun, noted: Int?) {
        (self.position, self.run, self.noted) = (position, run, noted)
    }

    private static let question: Query = """
        SELECT (pg_current_wal_lsn() - '0/0')::bigint, pg_postmaster_start_time(),
            ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
            (SELECT newest_timeline FROM installation)
        """
}

/// The state of a server that pages are read from: a standby, or the primary itself.
struct ReplicaState: Hashable {
    /// The position that it has replayed; nil where it does not tell.
    var position: Int64?
    /// The time at which it was started, if it takes writes: then it must be the primary.
    var startedAt: Date?
    /// The timeline on which it takes writes, or receives them; nil where it does not tell.
    var timeline: Int?
    /// The timeline that its data names.
    var noted: Int?

    /// - Parameter rows: the answer to `question`.
    init(_ rows: Rows) throws {
        let (position, startedAt, timeline, noted) = try rows[0].decode(Int64?.self, Date?.self, Int?.self, Int?.self)
        self.init(position: position, startedAt: startedAt, timeline: timeline, noted: noted)
    }

    init(position: Int64?, startedAt: Date? = nil, timeline: Int? = nil, noted: Int? = nil) {
        (self.position, self.startedAt, self.timeline, self.noted) = (position, startedAt, timeline, noted)
    }

    /// It is no copy of the primary, which is known by this.
    struct Stranger: Error, Hashable {
        var reason: String
    }

    /// The position that it has replayed, if it is a standby that follows the primary, or the primary itself.
    func replayed(beside primary: PrimaryState) throws(Stranger) -> Int64 {
        let run = primary.run
        if let startedAt, startedAt != run.startedAt {
            let places = "on timeline \(timeline ?? 0), the primary is on \(run.timeline)"
            throw Stranger(reason: "it takes writes of its own (\(places)): was it promoted?")
        }
        if let timeline, timeline != run.timeline {
            throw Stranger(
                reason: "it does not follow this primary (it is on timeline \(timeline), not \(run.timeline))"
            )
        }
        guard noted == primary.noted else {
            throw Stranger(
                reason:
                    "it does not follow this primary (its data is of timeline \(noted ?? 0), not \(primary.noted ?? 0))"
            )
        }
        guard let position else { throw Stranger(reason: "it does not say how far it has replayed") }
        return position
    }

    static let question: Query = """
        SELECT
            (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::bigint,
            CASE WHEN NOT pg_is_in_recovery() THEN pg_postmaster_start_time() END,
            CASE WHEN pg_is_in_recovery() THEN (SELECT received_tli FROM pg_stat_wal_receiver)::bigint
                ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END,
            (SELECT newest_timeline FROM installation)
        """

    static let pause: Query = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_is_wal_replay_paused() ELSE false END"
}
