/// The progress of a replica behind its primary, as far as it was seen; decides which of them serves a screen.
///
/// Age is measured by our own clock: the latest moment up to which the replica is known to have everything. So neither machine's
/// clock matters, and an idle primary makes no replica look old.
struct ReplicaFollowing {
    /// The end of the primary's log at a moment, or shortly after.
    private struct Mark {
        var position: Int64
        var at: ContinuousClock.Instant
    }

    /// The reason why screens are read from the primary.
    enum Reason: Hashable {
        /// Nobody has looked yet.
        case unknown
        /// In the words of the server that refused or failed.
        case away(String)
        /// It is no copy of this primary, which is known by this.
        case stranger(String)
        case stale
        /// It has not replayed the writes of the person who asks.
        case behindWriter
    }

    enum Choice: Hashable {
        case replica(age: Duration)
        case primary(Reason)
    }

    /// The maximum age of a screen's data.
    let maximumAge: Duration
    /// As it was seen last.
    private(set) var primary: PrimaryState?
    /// Of the primary's present run, oldest first.
    private var marks: [Mark] = []
    /// Earlier marks do not count.
    private var begunAt: ContinuousClock.Instant?
    private var replayed: Int64?
    private var isPaused = false
    /// The latest moment up to which the replica has everything.
    private(set) var completeAt: ContinuousClock.Instant?
    private var failure: Reason? = .unknown

    init(maximumAge: Duration) {
        self.maximumAge = maximumAge
    }

    /// - Parameter now: the time at which the primary was asked.
    mutating func primaryWas(_ current: PrimaryState, at now: ContinuousClock.Instant) {
        if current.run != primary?.run { beginAnew(at: now) }
        primary = current
        guard begunAt.map({ $0 <= now }) ?? true else { return }
        // One a second until the limit; what is older is too old in any case.
        let oldest = now - maximumAge * 4
        marks.removeAll { $0.at < oldest || $0.position == current.position }
        marks.append(Mark(position: current.position, at: now))
        pass()
    }

    mutating func replicaReplayed(_ position: Int64, isPaused: Bool = false) {
        failure = nil
        replayed = position
        self.isPaused = isPaused
        pass()
    }

    mutating func failed(_ reason: Reason) {
        failure = reason
        isPaused = false
    }

    /// Starts anew, because writes up to now may be unknown: the replica must have all of them before it serves a screen.
    mutating func beginAnew(at now: ContinuousClock.Instant) {
        (marks, replayed, completeAt, begunAt) = ([], nil, nil, now)
    }

    /// - Parameter written: the end of the log after the last write of the person who asks.
    func choice(written: Int64?, at now: ContinuousClock.Instant) -> Choice {
        if let failure { return .primary(failure) }
        guard let replayed, let completeAt else { return .primary(.unknown) }
        let age = now - completeAt
        guard age <= maximumAge else { return .primary(.stale) }
        guard written ?? 0 <= replayed else { return .primary(.behindWriter) }
        return .replica(age: age)
    }

    /// The age of the data on one connection; nil when the primary must answer. Several servers may share one address, and this may
    /// be another one than was checked.
    func age(at replayed: Int64, written: Int64?, _ now: ContinuousClock.Instant) -> Duration? {
        guard let completeAt = completion(of: replayed), written ?? 0 <= replayed else { return nil }
        let age = now - completeAt
        return age <= maximumAge ? age : nil
    }

    private mutating func pass() {
        guard let replayed, let moment = completion(of: replayed) else { return }
        completeAt = moment
    }

    private func completion(of replayed: Int64) -> ContinuousClock.Instant? {
        marks.last { $0.position <= replayed }?.at
    }
}

extension ReplicaFollowing {
    /// The reason why screens are read from the primary, for the operator; nil when they are read from the replica.
    func problem(at now: ContinuousClock.Instant) -> String? {
        guard case .primary(let reason) = choice(written: nil, at: now) else { return nil }
        return switch reason {
        case .away(let reason), .stranger(let reason): reason
        case .stale: isPaused ? Self.paused : "it is too far behind"
        case .unknown, .behindWriter: isPaused ? Self.paused : "it has not caught up yet"
        }
    }

    /// False where time alone does not bring screens to the replica.
    func mayFollow(at now: ContinuousClock.Instant) -> Bool {
        if case .primary(.stranger) = choice(written: nil, at: now) { return false }
        return !isPaused
    }

    /// The problem for everybody: without the database's own words, which may name its address.
    func publicProblem(at now: ContinuousClock.Instant) -> String? {
        guard case .primary(.away) = choice(written: nil, at: now) else { return problem(at: now) }
        return "the replica does not answer, or is refused; perennial doctor says why"
    }

    private static let paused = "its replay is paused"
}
