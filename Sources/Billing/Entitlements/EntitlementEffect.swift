package import Foundation

/// One thing that staff did to what a customer holds. Each has an inverse, so that what was done can be taken back.
package enum EntitlementEffect: Hashable, Sendable, Codable {
    case gave(Grant)
    /// A grant was ended before its time. `version` is the grant's after the change, here and below.
    case ended(Grant.ID, at: Date, version: Int)
    /// A grant that was ended is as it was.
    case reopened(Grant.ID, endedAt: Date, version: Int)
    case movedEnd(Grant.ID, from: Date?, to: Date?, version: Int)
    case suspended(Subscription.ID, at: Date)
    case restored(Subscription.ID, suspendedAt: Date)
    /// A subscription, with the grants that follow it, went to another customer of the same app.
    case transferred(Subscription.ID, from: Customer.ID, to: Customer.ID, wasPinned: Bool, isOwnerLocked: Bool)
}

extension EntitlementSources {
    /// The entitlement sources after a change; of a transfer, the part that is this customer's.
    package func applying(_ changes: [EntitlementEffect]) -> EntitlementSources {
        changes.reduce(into: self) { $0.apply($1) }
    }

    private mutating func apply(_ change: EntitlementEffect) {
        switch change {
        case .gave(let grant):
            grants.append(grant)
        case .ended(let id, let moment, let version):
            alter(id) { ($0.endedAt, $0.version) = (moment, version) }
        case .reopened(let id, _, let version):
            alter(id) { ($0.endedAt, $0.version) = (nil, version) }
        case .movedEnd(let id, _, let end, let version):
            alter(id) { ($0.endsAt, $0.version) = (end, version) }
        case .suspended(let id, let moment):
            alter(id) { $0.suspendedAt = moment }
        case .restored(let id, _):
            alter(id) { $0.suspendedAt = nil }
        case .transferred(let id, _, let receiver, _, _):
            guard receiver != customer else { return }
            subscriptions.removeAll { $0.id == id }
            grants.removeAll { $0.follows == id }
        }
    }

    private mutating func alter(_ id: Grant.ID, _ body: (inout Grant) -> Void) {
        guard let index = grants.firstIndex(where: { $0.id == id }) else { return }
        body(&grants[index])
    }

    private mutating func alter(_ id: Subscription.ID, _ body: (inout HeldSubscription) -> Void) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { return }
        body(&subscriptions[index])
    }
}

extension EntitlementSources {
    /// The change that undoes another one: possible as long as its object is unchanged since then, whatever happened in between.
    ///
    /// - Throws: `ActionRefused` with `.changedSince`.
    func inverse(of change: EntitlementEffect, at now: Date) throws(ActionRefused) -> EntitlementEffect {
        switch change {
        case .gave(let given):
            let grant = try self.grant(given.id) { $0.endsAt.isSame(given.endsAt) && $0.endedAt == nil }
            return .ended(grant.id, at: now, version: grant.version + 1)
        case .ended(let id, let moment, _):
            // A trial that a purchase or another trial has taken the place of stays ended.
            let grant = try self.grant(id) {
                $0.endedAt.isSame(moment) && $0.convertedAt == nil && $0.supersededAt == nil
            }
            return .reopened(id, endedAt: moment, version: grant.version + 1)
        case .reopened(let id, let moment, _):
            let grant = try self.grant(id) { $0.endedAt == nil }
            return .ended(id, at: moment, version: grant.version + 1)
        case .movedEnd(let id, let old, let new, _):
            let grant = try self.grant(id) { $0.endsAt.isSame(new) && $0.endedAt == nil }
            return .movedEnd(id, from: new, to: old, version: grant.version + 1)
        case .suspended(let id, let moment):
            guard let held = subscription(id), held.suspendedAt.isSame(moment) else {
                throw ActionRefused(.changedSince)
            }
            return .restored(id, suspendedAt: moment)
        case .restored(let id, let moment):
            guard let held = subscription(id), held.suspendedAt == nil else { throw ActionRefused(.changedSince) }
            return .suspended(id, at: moment)
        case .transferred(let id, let old, let new, let wasPinned, let isOwnerLocked):
            guard customer == new, subscription(id)?.isOwnerLocked == isOwnerLocked else {
                throw ActionRefused(.changedSince)
            }
            return .transferred(id, from: new, to: old, wasPinned: isOwnerLocked, isOwnerLocked: wasPinned)
        }
    }

    private func grant(_ id: Grant.ID, if isUnchanged: (Grant) -> Bool) throws(ActionRefused) -> Grant {
        guard let grant = grant(id), isUnchanged(grant) else { throw ActionRefused(.changedSince) }
        return grant
    }
}

extension Date? {
    /// The database keeps microseconds, so what came back from it may differ by less than one.
    fileprivate func isSame(_ other: Date?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return abs(self.timeIntervalSince(other)) < 0.001  // safe: seconds
    }
}
