import Billing
package import Foundation

/// The public keys of one issuer, asked for when one is met that is not known.
///
/// An unknown key makes us ask again, but not more often than the pace allows: the ids stand in tokens that anybody can make up. While
/// nobody answers, what was heard last is believed.
package actor JWTKeySet {
    private let owner: String
    private let pace: Pace
    private let ask: @Sendable (Date) async throws -> [JWTKey]
    private var known: [JWTKey] = []
    private var heardAt: Date?
    private var triedAt: Date?
    private var asking: Task<[JWTKey], any Error>?

    /// The rate at which an issuer is asked.
    package struct Pace: Sendable {
        /// Seconds between two questions at least.
        var interval: TimeInterval
        /// Seconds after which the keys are asked for anew, so that one that was withdrawn is forgotten.
        var lifetime: TimeInterval
        /// True where a key that the issuer has never named is nobody's also while it does not answer; else a token that is signed with one
        /// is for later.
        var isLastWordFinal: Bool

        package init(interval: TimeInterval, lifetime: TimeInterval, isLastWordFinal: Bool) {
            self.interval = interval
            self.lifetime = lifetime
            self.isLastWordFinal = isLastWordFinal
        }
    }

    /// - Parameters:
    ///   - owner: whose keys they are, in messages: "Apple".
    ///   - ask: gets them, at that time.
    package init(of owner: String, pace: Pace, ask: @escaping @Sendable (Date) async throws -> [JWTKey]) {
        self.owner = owner
        self.pace = pace
        self.ask = ask
    }

    /// The keys that a token may be signed with: those of its id, or all of its algorithm where it names none.
    ///
    /// - Throws: `.unknownKey`, or `.unreachable` where that cannot be said.
    func keys(for token: JWT, at now: Date) async throws(JWTError) -> [JWTKey] {
        let isFresh = Self.isWithin(pace.lifetime, since: heardAt, now)
        if isFresh, case let found = matching(token), !found.isEmpty { return found }
        var isCertain = isFresh
        var cause: (any Error)?
        if asking != nil || !Self.isWithin(pace.interval, since: triedAt, now) {
            do {
                learn(try await answer(at: now), at: now)
                isCertain = true
            } catch {
                (isCertain, cause) = (false, error)
            }
        }
        let found = matching(token)
        if !found.isEmpty { return found }
        guard isCertain || pace.isLastWordFinal && heardAt != nil else {
            throw JWTError(.unreachable, "\(owner)'s keys could not be fetched.", underlying: cause)
        }
        throw JWTError(.unknownKey, "The token is signed with a key that is none of \(owner)'s.", field: "kid")
    }

    /// Asks for them now, whatever is known.
    ///
    /// - Throws: `.unreachable`
    func renew(at now: Date) async throws(JWTError) {
        do {
            learn(try await answer(at: now), at: now)
        } catch {
            throw JWTError(.unreachable, "\(owner)'s keys could not be fetched.", underlying: error)
        }
    }

    /// Takes over keys that were come by without asking.
    package func learn(_ keys: [JWTKey], at now: Date) {
        known = keys
        heardAt = now
    }

    private func matching(_ token: JWT) -> [JWTKey] {
        known.filter { $0.algorithm.rawValue == token.algorithm && (token.keyID == nil || $0.id == token.keyID) }
    }

    /// A caller that comes while another asks waits for the same answer.
    private func answer(at now: Date) async throws -> [JWTKey] {
        if let asking { return try await asking.value }
        triedAt = now
        let task = Task { [ask] in try await ask(now) }
        asking = task
        defer { asking = nil }
        return try await task.value
    }

    private static func isWithin(_ seconds: TimeInterval, since start: Date?, _ now: Date) -> Bool {
        start.map { (0..<seconds).contains(now.timeIntervalSince($0)) } ?? false
    }
}
