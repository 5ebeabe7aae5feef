extension PoolStateMachine {
    /// Opens or closes the listener's connection, as somebody listens or nobody does.
    mutating func setListening(_ wanted: Bool, at now: Instant) -> Action? {
        guard wanted != isListening, phase != .stopped else { return nil }
        isListening = wanted
        switch slots[listenerSlot].state {
        case .closed where wanted && phase == .running:
            return connect(listenerSlot, attempt: 0, at: now)
        case .open where !wanted:
            slots[listenerSlot].state = .closed
            slots[listenerSlot].generation += 1
            return .close(slot: listenerSlot)
        case .closed, .open, .connecting, .waiting, .idle, .lent, .lostWhileLent:
            return nil
        }
    }
}
