// Timed work of the pool.
extension PoolStateMachine {
    /// Connects where the pause is over, gives up what has waited or connected for too long, closes what nobody wants.
    mutating func tick(at now: Instant, random: () -> Double) -> [Action] {
        var actions: [Action] = []
        for slot in slots.indices {
            switch slots[slot].state {
            case .waiting(let attempt, let until) where until <= now:
                actions.append(connect(slot, attempt: attempt, at: now))
            case .connecting(_, let since) where since + limits.connectTimeout <= now:
                let error = PostgresError(.connectionFailed, "no connection within \(limits.connectTimeout)")
                actions += connectFailed(id(of: slot), error, at: now, random: random())
            case .idle(let since) where since + limits.idleTimeout <= now:
                actions.append(closeIdle(slot))
            case .closed, .connecting, .waiting, .open, .idle, .lent, .lostWhileLent:
                break
            }
        }
        while let next = jobs.first, next.since + limits.acquireTimeout <= now {
            _ = jobs.popFirst()
            actions.append(.refuse(next.element, waitedTooLong))
        }
        while let next = leases.first, next.since + limits.acquireTimeout <= now {
            _ = leases.popFirst()
            actions.append(.refuseLease(next.element, waitedTooLong))
        }
        return actions + stopWhenDone()
    }

    /// The next time at which `tick` has something to do; nil if none.
    var nextTick: Instant? {
        var next = jobs.first.map { $0.since + limits.acquireTimeout }
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            next = min(next ?? instant, instant)
        }
        consider(leases.first.map { $0.since + limits.acquireTimeout })
        for slot in slots {
            switch slot.state {
            case .waiting(_, let until): consider(until)
            case .connecting(_, let since): consider(since + limits.connectTimeout)
            case .idle(let since): consider(since + limits.idleTimeout)
            case .closed, .open, .lent, .lostWhileLent: break
            }
        }
        return next
    }

    private var waitedTooLong: PostgresError {
        if let lastConnectError {
            if lastConnectError.isFinalRefusal { return lastConnectError }
            return PostgresError(.connectionFailed, lastConnectError.message, underlying: lastConnectError)
        }
        return PostgresError(.poolExhausted, "no connection became free within \(limits.acquireTimeout)")
    }
}
