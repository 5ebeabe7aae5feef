import Synchronization

/// The chains verified lately, so that a notification costs its three signatures and little else.
final class RememberedChains: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    subscript(key: Key) -> AppleChain? {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return nil }
            state.clock += 1
            state.entries.values[index].usedAt = state.clock
            return state.entries.values[index].chain
        }
    }

    /// Keeps a chain; the one unused for longest makes room.
    func remember(_ chain: AppleChain, as key: Key) {
        state.withLock { state in
            state.clock += 1
            state.entries[key] = Entry(chain: chain, usedAt: state.clock)
            guard state.entries.count > limit else { return }
            guard let oldest = state.entries.min(by: { $0.value.usedAt < $1.value.usedAt }) else { return }
            state.entries[oldest.key] = nil
        }
    }

    /// All that the outcome of following a chain depends on, but the date.
    struct Key: Hashable, Sendable {
        /// The certificates in strict base64, which writes the same bytes in one way only.
        let leaf: String
        let intermediate: String
        let trustID: [UInt8]
        let isPinned: Bool
    }

    private struct Entry {
        let chain: AppleChain
        var usedAt: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var clock: UInt64 = 0
    }
}
