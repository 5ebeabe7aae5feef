import Billing
import HTTP

extension EntitlementSources {
    /// Returns the store where a source was bought; nil for a grant of staff. A provisional grant, which gives access until the
    /// store confirms the purchase, counts as Apple's: apps send proofs of no other store.
    func store(of source: Entitlement.Source) -> Store? {
        switch source {
        case .grant(let id): grant(id)?.kind == .provisional ? .apple : nil
        case .subscription(let id): subscription(id)?.store
        }
    }

    /// Returns the environment of a source; nil for a grant.
    func environment(of source: Entitlement.Source) -> StoreEnvironment? {
        guard case .subscription(let id) = source else { return nil }
        return subscription(id)?.environment
    }

    /// Returns the APIs' name of the store; `PROMO_CODE` for a code's grant, `GRANT` for one of staff, and `NONE` for a trial that
    /// the
    /// app gives.
    func apiSource(of source: Entitlement.Source) -> String {
        if let store = store(of: source) { return store.source }
        guard case .grant(let id) = source else { return "GRANT" }
        if grant(id)?.kind == .trial { return "NONE" }
        return grantRecords[id]?.isOfPromoCode == true ? "PROMO_CODE" : "GRANT"
    }
}
