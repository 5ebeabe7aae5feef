import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Processes one leased notification: its store is asked for its meaning, if necessary, and its events are applied.
    ///
    /// - Parameter patience: the time to wait for a customer whom somebody else has locked.
    /// - Throws: the errors of `apply(_:patience:)` for its event, and `OperationsError` with `.overloaded` while the store does not
    ///   answer; then nothing has changed.
    package func apply(_ leased: LeasedNotification, patience: Duration = .seconds(1)) async throws -> ApplyResult {
        switch try await resolved(leased) {
        case .events(let event, let others):
            let result = try await apply(event, and: others, from: leased, patience: patience)
            if case .applied = result { countApplied(leased) }
            return result
        case .notice(let notice): return try await apply(notice, from: leased)
        case .ignored: return .ignored
        case .leaseLost: return .leaseLost
        }
    }

    private enum Resolution {
        case events(StoreEvent, and: [StoreEvent])
        case notice(StoreNotice)
        case ignored
        case leaseLost
    }

    private func resolved(_ leased: LeasedNotification) async throws -> Resolution {
        if let event = leased.event { return .events(event, and: leased.otherEvents) }
        guard let payload = try await database.signedPayload(of: leased) else { return .leaseLost }
        switch try await meaning(of: payload, leased).keepable {
        case .event(let event):
            return try await database.resolve(leased, as: event) ? .events(event, and: []) : .leaseLost
        case .events(let events):
            guard let event = events.first else {
                return try await database.ignore(leased) ? .ignored : .leaseLost
            }
            let others = Array(events.dropFirst())
            return try await database.resolve(leased, as: event, and: others)
                ? .events(event, and: others) : .leaseLost
        case .notice(let notice): return .notice(notice)
        case .ignored:
            return try await database.ignore(leased) ? .ignored : .leaseLost
        case .unresolved:
            throw OperationsError(.overloaded, "The store does not know yet what the notification means.")
        case .unreadable(let reason):
            throw OperationsError(.invalid, reason)
        }
    }

    private func meaning(of payload: String, _ leased: LeasedNotification) async throws -> MessageContent {
        guard let gateway = gateways[leased.store],
            let account = try await apps.entry(for: leased.app)?.accounts[leased.store]
        else {
            throw OperationsError(.misconfigured, "The app has no account at \(leased.store.rawValue) any more.")
        }
        do {
            return try await gateway.resolve(payload, for: account)
        } catch {
            throw OperationsError(error)
        }
    }
}
