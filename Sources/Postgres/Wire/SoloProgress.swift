/// Watches whether the server gets on with a stream or a COPY, which as a whole may take long.
struct SoloProgress {
    typealias Instant = ContinuousClock.Instant

    /// The longest that the server may be silent.
    struct Limits: Hashable {
        /// Before the first row: it may have to read and sort everything until it has one.
        var firstRow: Duration
        var nextRow: Duration
    }

    /// The time at which it was last heard, or asked.
    private var heardAt: Instant
    private var hasRows = false

    init(askedAt now: Instant) {
        heardAt = now
    }

    /// It has sent or taken something, or has somebody to send to again.
    mutating func heard(at now: Instant) {
        heardAt = now
    }

    /// A row has come, or can go.
    mutating func gotRow() {
        hasRows = true
    }

    /// It has all rows of a COPY in, and may have much to check before it says so.
    mutating func askedForEnd(at now: Instant) {
        heardAt = now
        hasRows = false
    }

    /// Returns the time at which it counts as stuck.
    func deadline(_ limits: Limits) -> Instant {
        heardAt + (hasRows ? limits.nextRow : limits.firstRow)
    }

    /// The error that its reader gets then.
    func failure(_ limits: Limits) -> PostgresError {
        PostgresError(
            .timeout,
            hasRows
                ? "the server did not get on with its rows for \(limits.nextRow)"
                : "the server had no row within \(limits.firstRow)"
        )
    }
}
