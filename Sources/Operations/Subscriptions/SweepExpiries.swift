import Billing
import Logging
import Storage

/// The results of a sweep.
package struct ExpirySweep: Hashable, Sendable {
    /// Ends of paid time, of free trials, of grace periods and of billing retries.
    package var subscriptions = 0
    /// Ends of grants by staff and of the app's trials.
    package var grants = 0
    /// Ends that could not be recorded; the next sweep tries them again.
    package var failed = 0

    package init(subscriptions: Int = 0, grants: Int = 0, failed: Int = 0) {
        (self.subscriptions, self.grants, self.failed) = (subscriptions, grants, failed)
    }
}

extension BackOffice {
    /// Records ends that no store has reported in the histories of subscriptions, marks expired grants, and has shared access follow its
    /// purchases.
    ///
    /// Entitlements are right without it; it is for those who listen to events. Any number of servers may sweep at once, and be stopped at
    /// any moment.
    package func sweepExpiries(batch: Int = 200) async throws -> ExpirySweep {
        var sweep = ExpirySweep()
        // A history that is played lies in the past: everything in it would be over at once.
        guard case .whenApplied = recording.time else { return sweep }
        for kind in LapsingSubscription.Kind.allCases {
            var position: LapsingSubscription.Position?
            repeat {
                let (lapsing, next) = try await database.lapsingSubscriptions(kind, after: position, limit: batch)
                for subscription in lapsing { try await end(subscription, &sweep) }
                position = next
            } while position != nil
        }
        while try await database.write({ try await $0.purchases.followShares(limit: batch) }) == batch {}
        while true {
            let grants = try await database.write { try await $0.entitlementSources.expireGrants(limit: batch) }
            sweep.grants += grants
            if grants < batch { return sweep }
        }
    }

    /// One that fails keeps no other from its end.
    private func end(_ lapsing: LapsingSubscription, _ sweep: inout ExpirySweep) async throws {
        do {
            if try await end(lapsing) { sweep.subscriptions += 1 }
        } catch {
            if Task.isCancelled { throw error }
            if case .away = DatabaseFailure(error) { throw error }
            sweep.failed += 1
            logger.debug(
                "not ended by the clock",
                metadata: ["subscription": "\(lapsing.id)", "error": "\(error)"]
            )
        }
    }

    private func end(_ lapsing: LapsingSubscription) async throws -> Bool {
        let event = StoreEvent.lapse(of: lapsing.subscription, lapsing.id, after: lapsing.last, at: database.now)
        guard let event else { return false }
        guard case .applied = try await apply(IncomingEvent(app: lapsing.app, event: event, origin: .clock))
        else { return false }
        return true
    }
}
