/// An order that our server opened at a store, by the store's account.
package enum CheckoutStanding: Hashable, Sendable {
    /// The store does not know it (yet): never opened, or, at Alipay, not looked at by anybody.
    case unknown
    /// It can be paid.
    case open
    /// The customer is paying, and the store waits for them.
    case paying
    case paid(StorePayment)
    /// It cannot be paid any more. After a full refund Alipay says so of a paid one, too: then its payment is told.
    case closed(StorePayment?)
}
