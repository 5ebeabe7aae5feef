import Foundation
import Storage
import Synchronization

/// The signed-in staff and the valid keys: cached for seconds, so that a page does not begin with a query.
///
/// No cached entry outlives a reported change: all are dropped when any server or command changes a session, a key, an account or an app
/// (`Database.staffSignals`), and before this server answers a request that may have. While changes are not reported, nothing is cached.
package final class RememberedStaff: Sendable {
    /// The time, in seconds, for which a session stays cached if a lost connection hides changes unnoticed.
    private static let memory: TimeInterval = 3
    /// The largest number of cached entries; a person has one.
    private static let most = 10_000

    private struct State {
        var sessions: [[UInt8]: Remembered<StaffSession>] = [:]
        var keys: [Key: Remembered<StaffToken>] = [:]
        var isListening = false
        /// Goes up when all is forgotten: what was asked before that may be of before the change.
        var generation = 0

        mutating func forget() {
            (sessions, keys) = ([:], [:])
            generation &+= 1
        }
    }

    private struct Remembered<Value: Sendable>: Sendable {
        var value: Value
        var askedAt: Date
    }

    private struct Key: Hashable {
        var hash: [UInt8]
        var app: String?
    }

    private let state = Mutex(State())

    package init() {}

    /// The session of a token's hash, as it was asked for at most `memory` ago.
    func session(
        _ hash: [UInt8],
        at now: Date,
        or ask: () async throws -> StaffSession?
    ) async throws -> StaffSession? {
        try await find(hash, in: \.sessions, at: now, or: ask)
    }

    /// The same for a key to the admin API.
    func key(
        _ hash: [UInt8],
        of app: String?,
        at now: Date,
        or ask: () async throws -> StaffToken?
    ) async throws -> StaffToken? {
        try await find(Key(hash: hash, app: app), in: \.keys, at: now, or: ask)
    }

    /// For whoever may have changed something: from now on it is asked.
    package func forget() {
        state.withLock { $0.forget() }
    }

    /// Handles a signal.
    func hear(_ signal: StaffSignal) {
        state.withLock { state in
            state.isListening = signal == .changed
            state.forget()
        }
    }

    private func find<Name: Hashable & Sendable, Value: Sendable>(
        _ name: Name,
        in place: WritableKeyPath<State, [Name: Remembered<Value>]>,
        at now: Date,
        or ask: () async throws -> Value?
    ) async throws -> Value? {
        let (known, generation) = state.withLock { ($0[keyPath: place][name], $0.generation) }
        if let known, (0..<Self.memory).contains(now.timeIntervalSince(known.askedAt)) { return known.value }
        guard let value = try await ask() else { return nil }
        state.withLock { state in
            guard state.isListening, state.generation == generation else { return }
            if state[keyPath: place].count >= Self.most { state[keyPath: place] = [:] }
            state[keyPath: place][name] = Remembered(value: value, askedAt: now)
        }
        return value
    }
}
