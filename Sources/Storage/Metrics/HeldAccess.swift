package import Billing
import Foundation

/// A customer's stored access, locked: carried from one change to the next, so that a history is not read anew
/// for each of its events.
package struct HeldAccess: Sendable {
    package let customer: Customer.ID
    var periods: [StoredPeriod]
    let catalog: PeriodCatalog
    var overrides: EntitlementOverrides

    /// The same after a change; nil where it has to be read again.
    package func changed(
        by changes: PeriodChanges,
        of subscription: Subscription.ID,
        in environment: StoreEnvironment
    )
        -> HeldAccess?
    {
        guard !changes.convertsTrials else { return nil }
        var copy = self
        copy.periods = periods.filter { !changes.retired.contains($0.id) } + changes.added
        copy.overrides = overrides.having(subscription, in: environment, of: customer)
        return copy
    }
}
