import Billing
import Foundation
import Storage

/// The subjects whose wrong codes an attempt counts against.
struct PromoTries: Sendable {
    /// Each with its limit.
    let throttles: [(name: String, throttle: PromoThrottle)]

    /// - Parameter network: the network that the app's customer calls from; nil if it is not known.
    init(of customer: Customer.ID, in app: App.ID, from network: String?) {
        throttles =
            [("promo:\(customer)", .customer)] + (network.map { [("promo-address:\(app):\($0)", .address)] } ?? [])
    }

    var names: [String] { throttles.map(\.name) }

    /// The time until which no code is tried, by the counted failures; nil if one may be.
    ///
    /// - Parameter isGood: true for an existing code. Only the customer's own wrong ones block it: those of a stranger behind the same
    ///   address do not.
    func lockout(after known: [String: SignInFailures], at now: Date, isGood: Bool = false) -> Date? {
        (isGood ? Array(throttles.prefix(1)) : throttles).compactMap { name, throttle in
            known[name].flatMap { throttle.lockout(after: $0.failures, since: $0.countedSince, at: now) }
        }.max()
    }
}

extension BackOffice {
    /// Counts a wrong code, unless others have reached the limit since it was read.
    ///
    /// - Returns: until when no code is tried, where this one was too many.
    func count(_ tries: PromoTries) async throws -> Date? {
        try await database.write { transaction in
            let (known, now) = (try await transaction.signInFailures.lock(tries.names), transaction.now)
            if let until = tries.lockout(after: known, at: now) { return until }
            for name in tries.names {
                var counted = known[name] ?? SignInFailures(failures: 0, countedSince: now, blockedUntil: nil)
                if now.timeIntervalSince(counted.countedSince) >= PromoThrottle.window {
                    counted = SignInFailures(failures: 0, countedSince: now, blockedUntil: nil)
                }
                counted.failures += 1  // safe: at most the limit
                try await transaction.signInFailures.save(name, counted)
            }
            return nil
        }
    }
}
