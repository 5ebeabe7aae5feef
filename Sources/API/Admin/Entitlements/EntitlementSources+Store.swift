import Billing
import HTTP

extension EntitlementSources {
    /// Where that was bought; nil for what staff gave. What gives access until its store confirms it was bought at Apple: apps send
    /// proofs of no other.
    func store(of source: Entitlement.Source) -> Store? {
        switch source {
        case .grant(let id): grant(id)?.kind == .provisional ? .apple : nil
        case .subscription(let id): subscription(id)?.store
        }
    }

    /// nil for what was given.
    func environment(of source: Entitlement.Source) -> StoreEnvironment? {
        guard case .subscription(let id) = source else { return nil }
        return subscription(id)?.environment
    }

    /// The store as the APIs call it; `PROMO_CODE` for what a code gave, `GRANT` for what staff did, and `NONE` for a trial that the
    /// app gives.
    func apiSource(of source: Entitlement.Source) -> String {
        if let store = store(of: source) { return store.source }
        guard case .grant(let id) = source else { return "GRANT" }
        if grant(id)?.kind == .trial { return "NONE" }
        return grantRecords[id]?.isOfPromoCode == true ? "PROMO_CODE" : "GRANT"
    }
}
