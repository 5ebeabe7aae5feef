// Exclusive connections: lent to one borrower at a time, opened when they are wanted, closed when nobody wants them.
extension PoolStateMachine {
    mutating func lend(to lease: Lease, at now: Instant) -> Action? {
        guard phase == .running || phase == .created else { return .refuseLease(lease, .closing) }
        if let slot = lastUsedIdle {
            slots[slot].state = .lent
            return .lend(lease, slot: slot)
        }
        guard leases.count - withdrawnLeases < limits.queueLimit else {
            return .refuseLease(
                lease,
                PostgresError(.poolExhausted, "\(limits.queueLimit) tasks are waiting for a connection already")
            )
        }
        leases.append(Waiting(element: lease, since: now))
        return openExclusive(at: now)
    }

    /// The connection that a task was to get broke before it had it: the task goes before the others.
    mutating func lendAgain(to lease: Lease, at now: Instant) -> Action? {
        guard phase != .stopped else { return .refuseLease(lease, .closing) }
        if let slot = lastUsedIdle {
            slots[slot].state = .lent
            return .lend(lease, slot: slot)
        }
        leases.prepend(Waiting(element: lease, since: now))
        return openExclusive(at: now)
    }

    mutating func leaseWithdrawn(isWanted: (Lease) -> Bool) {
        withdrawnLeases += 1
        guard withdrawnLeases > 64, withdrawnLeases * 2 > leases.count else { return }
        leases.removeAll { !isWanted($0.element) }
        withdrawnLeases = 0
    }

    /// A borrower is done and the connection is fit for the next.
    mutating func takenBack(_ slot: Int, at now: Instant) -> [Action] {
        guard slots[slot].state == .lent else { return stopWhenDone() }
        return offer(slot, at: now)
    }

    /// The borrower of a lost connection has let go of it.
    mutating func lostReturned(_ slot: Int, at now: Instant) -> [Action] {
        guard slots[slot].state == .lostWhileLent else { return [] }
        slots[slot].state = .closed
        return (openExclusive(at: now).map { [$0] } ?? []) + stopWhenDone()
    }

    mutating func closeIdle(_ slot: Int) -> Action {
        slots[slot].state = .closed
        slots[slot].generation += 1
        return .close(slot: slot)
    }

    mutating func offer(_ slot: Int, at now: Instant) -> [Action] {
        if let next = leases.popFirst() {
            slots[slot].state = .lent
            return [.lend(next.element, slot: slot)]
        }
        withdrawnLeases = 0
        slots[slot].state = .idle(since: now)
        return stopWhenDone()
    }

    /// Opens one more connection when more tasks wait than connections are on their way.
    mutating func openExclusive(at now: Instant) -> Action? {
        guard phase == .running || phase == .draining else { return nil }
        let opening = exclusiveSlots.count {
            switch slots[$0].state {
            case .connecting, .waiting: true
            case .closed, .open, .idle, .lent, .lostWhileLent: false
            }
        }
        guard opening < leases.count, let slot = exclusiveSlots.first(where: { slots[$0].state == .closed }) else {
            return nil
        }
        return connect(slot, attempt: 0, at: now)
    }

    /// Of the idle connections the one used last, so that those too many grow old.
    private var lastUsedIdle: Int? {
        var best: (slot: Int, since: Instant)?
        for slot in exclusiveSlots {
            guard case .idle(let since) = slots[slot].state, best.map({ $0.since < since }) ?? true else { continue }
            best = (slot, since)
        }
        return best?.slot
    }
}
