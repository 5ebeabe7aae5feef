package import Billing

/// A store at which our server, and not the customer, turns renewal off: where the agreement to pay again is with us.
package protocol RenewalServer: Sendable {
    /// Ends the agreement behind a subscription; what is paid for stays. Ending it again does no harm.
    ///
    /// - Parameter purchase: the newest of the subscription.
    /// - Returns: that it will not renew, as an event of its history.
    func cancelRenewal(of purchase: KnownPurchase) async throws(StoreFailure) -> StoreEvent
}
