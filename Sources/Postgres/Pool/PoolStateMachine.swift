/// Decides which connection does what; knows no socket and no clock.
///
/// Every place for a connection is a slot: first the shared ones, then the exclusive ones, last the listener's.
struct PoolStateMachine<PendingQuery, Lease> {
    typealias Instant = ContinuousClock.Instant

    enum Action {
        case connect(WireID)
        case close(slot: Int)
        case send(PendingQuery, slot: Int)
        case lend(Lease, slot: Int)
        case listen(slot: Int)
        case refuse(PendingQuery, PostgresError)
        case refuseLease(Lease, PostgresError)
        /// Everything is closed.
        case stop
    }

    enum SlotState: Equatable {
        /// No connection, and none is wanted. Can transition to: `connecting`.
        case closed
        /// A thread is opening one. Can transition to: `open`, `idle`, `waiting`, `closed`.
        case connecting(attempt: Int, since: Instant)
        /// The last try failed. Can transition to: `connecting`.
        case waiting(attempt: Int, until: Instant)
        /// Shared or listening, with so many jobs on it. Can transition to: `waiting` when it is lost.
        case open(jobs: Int)
        /// Exclusive and free. Can transition to: `lent`, `closed`.
        case idle(since: Instant)
        /// Exclusive and in use. Can transition to: `idle`, `lent`, `lostWhileLent`.
        case lent
        /// The borrower does not know yet. Can transition to: `closed`.
        case lostWhileLent
    }

    struct Slot {
        let role: WireRole
        var state = SlotState.closed
        var generation = 0
        var openedAt: Instant?
        /// Connections in a row that were lost as soon as they were open.
        var quickLosses = 0
    }

    enum Phase {
        /// Not started: requests wait. Can transition to: `running`, `draining`, `stopped`.
        case created
        /// Can transition to: `draining`, `stopped`.
        case running
        /// Takes nothing new, finishes what it has. Can transition to: `stopped`.
        case draining
        case stopped
    }

    struct Waiting<Element> {
        let element: Element
        let since: Instant
    }

    let limits: PoolLimits
    var slots: [Slot]
    private(set) var phase = Phase.created
    var isListening = false
    var jobs = FIFO<Waiting<PendingQuery>>()
    var leases = FIFO<Waiting<Lease>>()
    /// Requests in the queues whose callers have given up.
    var withdrawnJobs = 0
    var withdrawnLeases = 0
    var lastConnectError: PostgresError?
    /// True once there has been a connection.
    private(set) var hasConnected = false

    init(limits: PoolLimits) {
        self.limits = limits
        slots =
            Array(repeating: Slot(role: .shared), count: limits.sharedConnections)
            + Array(repeating: Slot(role: .exclusive), count: limits.exclusiveConnections)
            + [Slot(role: .listener)]
    }

    var listenerSlot: Int { slots.count - 1 }
    private var sharedSlots: Range<Int> { 0..<limits.sharedConnections }
    var exclusiveSlots: Range<Int> { limits.sharedConnections..<slots.count - 1 }

    func id(of slot: Int) -> WireID { WireID(slot: slot, generation: slots[slot].generation) }

    // MARK: Life

    mutating func start(at now: Instant) -> [Action] {
        guard phase == .created else { return [] }
        phase = .running
        return sharedSlots.map { connect($0, attempt: 0, at: now) }
    }

    /// No new requests; the last answer ends it.
    mutating func drain() -> [Action] {
        guard phase == .running || phase == .created else { return [] }
        phase = .draining
        return stopWhenDone()
    }

    /// The end, whatever is under way.
    mutating func close(because error: PostgresError) -> [Action] {
        guard phase != .stopped else { return [] }
        phase = .stopped
        return jobs.removeAll().map { .refuse($0.element, error) }
            + leases.removeAll().map { .refuseLease($0.element, error) }
            + slots.indices.map { .close(slot: $0) } + [.stop]
    }

    // MARK: Jobs for the shared connections

    mutating func submit(_ job: PendingQuery, at now: Instant) -> Action? {
        guard phase == .running || phase == .created else { return .refuse(job, .closing) }
        if let slot = freeShared { return send(job, slot) }
        guard jobs.count - withdrawnJobs < limits.queueLimit else {
            return .refuse(
                job,
                PostgresError(.poolExhausted, "\(limits.queueLimit) queries are waiting for a connection already")
            )
        }
        jobs.append(Waiting(element: job, since: now))
        return nil
    }

    /// A job that a lost connection had; it goes before the others. A pool that drains opens another connection for it
    /// if it has none.
    mutating func resubmit(_ job: PendingQuery, at now: Instant) -> Action? {
        guard phase != .stopped else { return .refuse(job, .closing) }
        if let slot = freeShared { return send(job, slot) }
        jobs.prepend(Waiting(element: job, since: now))
        guard sharedSlots.allSatisfy({ slots[$0].state == .closed }), phase == .draining else { return nil }
        return connect(sharedSlots.lowerBound, attempt: 0, at: now)
    }

    /// A shared connection has one job less.
    mutating func jobFinished(on slot: Int) -> [Action] {
        guard case .open(let count) = slots[slot].state, count > 0 else { return stopWhenDone() }
        slots[slot].state = .open(jobs: count - 1)
        return refill(slot)
    }

    mutating func jobWithdrawn(isWanted: (PendingQuery) -> Bool) {
        withdrawnJobs += 1
        guard withdrawnJobs > 64, withdrawnJobs * 2 > jobs.count else { return }
        jobs.removeAll { !isWanted($0.element) }
        withdrawnJobs = 0
    }

    // MARK: Connections

    mutating func connected(_ id: WireID, at now: Instant) -> [Action] {
        guard isCurrent(id), case .connecting = slots[id.slot].state else { return [.close(slot: id.slot)] }
        lastConnectError = nil
        hasConnected = true
        slots[id.slot].openedAt = now
        switch slots[id.slot].role {
        case .shared:
            slots[id.slot].state = .open(jobs: 0)
            return refill(id.slot)
        case .exclusive:
            return offer(id.slot, at: now)
        case .listener:
            guard isListening else {
                slots[id.slot].state = .closed
                return [.close(slot: id.slot)]
            }
            slots[id.slot].state = .open(jobs: 0)
            return [.listen(slot: id.slot)]
        }
    }

    func isCurrent(_ id: WireID) -> Bool {
        phase != .stopped && slots[id.slot].generation == id.generation
    }

    mutating func connectFailed(_ id: WireID, _ error: PostgresError, at now: Instant, random: Double) -> [Action] {
        guard isCurrent(id), case .connecting(let attempt, _) = slots[id.slot].state else { return [] }
        lastConnectError = error
        slots[id.slot].generation += 1
        let isWanted =
            switch slots[id.slot].role {
            case .shared: phase == .running || !jobs.isEmpty
            case .exclusive: !leases.isEmpty
            case .listener: isListening
            }
        guard isWanted else {
            slots[id.slot].state = .closed
            return stopWhenDone()
        }
        let pause = limits.backoff.delay(attempt: attempt + 1, random: random)
        slots[id.slot].state = .waiting(attempt: attempt + 1, until: now + pause)
        // A server that once let us in will again; one that never did is waited for only when it may come up.
        guard !hasConnected, error.isFinalRefusal else { return [] }
        (withdrawnJobs, withdrawnLeases) = (0, 0)
        return jobs.removeAll().map { .refuse($0.element, error) }
            + leases.removeAll().map { .refuseLease($0.element, error) }
    }

    /// An open connection broke; its jobs have failed. It is opened again at once, unless it had only just been.
    mutating func lost(_ id: WireID, at now: Instant, random: Double) -> [Action] {
        guard isCurrent(id) else { return [] }
        slots[id.slot].generation += 1
        switch (slots[id.slot].role, slots[id.slot].state) {
        case (.exclusive, .lent):
            slots[id.slot].state = .lostWhileLent
            return []
        case (.exclusive, _):
            slots[id.slot].state = .closed
        case (.shared, _) where phase == .running || !jobs.isEmpty:
            return reconnect(id.slot, at: now, random: random)
        case (.listener, _) where isListening && phase == .running:
            return reconnect(id.slot, at: now, random: random)
        case (.shared, _), (.listener, _):
            slots[id.slot].state = .closed
        }
        return stopWhenDone()
    }

    private mutating func reconnect(_ slot: Int, at now: Instant, random: Double) -> [Action] {
        let wasQuick = slots[slot].openedAt.map { $0 + .seconds(1) > now } ?? false
        slots[slot].quickLosses = wasQuick ? slots[slot].quickLosses + 1 : 0
        // The first quick loss may be chance: a server that is being shut down.
        let attempt = max(0, slots[slot].quickLosses - 1)
        guard attempt > 0 else { return [connect(slot, attempt: 0, at: now)] }
        slots[slot].state = .waiting(attempt: 0, until: now + limits.backoff.delay(attempt: attempt, random: random))
        return []
    }

    // MARK: Private

    mutating func connect(_ slot: Int, attempt: Int, at now: Instant) -> Action {
        slots[slot].state = .connecting(attempt: attempt, since: now)
        return .connect(id(of: slot))
    }

    private var freeShared: Int? {
        var best: (slot: Int, jobs: Int)?
        for slot in sharedSlots {
            guard case .open(let jobs) = slots[slot].state, jobs < limits.pipelineDepth else { continue }
            if jobs < best?.jobs ?? .max { best = (slot, jobs) }
        }
        return best?.slot
    }

    private mutating func send(_ job: PendingQuery, _ slot: Int) -> Action {
        if case .open(let jobs) = slots[slot].state { slots[slot].state = .open(jobs: jobs + 1) }
        return .send(job, slot: slot)
    }

    private mutating func refill(_ slot: Int) -> [Action] {
        var actions: [Action] = []
        while case .open(let count) = slots[slot].state, count < limits.pipelineDepth, let next = jobs.popFirst() {
            actions.append(send(next.element, slot))
        }
        if jobs.isEmpty { withdrawnJobs = 0 }
        return actions + stopWhenDone()
    }

    mutating func stopWhenDone() -> [Action] {
        guard phase == .draining, jobs.isEmpty, leases.isEmpty else { return [] }
        let isBusy = slots.contains { slot in
            switch slot.state {
            case .open(let jobs): jobs > 0
            case .lent, .lostWhileLent: true
            case .closed, .connecting, .waiting, .idle: false
            }
        }
        return isBusy ? [] : close(because: .closing)
    }
}

extension PostgresError {
    static var closing: PostgresError { PostgresError(.poolClosed, "the connection pool is closing") }
}
