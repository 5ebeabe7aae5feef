/// The origin of an event in a subscription's history (product.md, decision 14).
package enum EventSource: String, Sendable, Codable, CaseIterable {
    /// A store's own message, kept among the notifications.
    case notification
    /// A purchase that an app submitted for verification.
    case verification
    /// A store's answer to a query for messages that it had not sent.
    case reconciliation
    /// Our own checkout, at a store that is a payment method.
    case checkout
    /// A person.
    case staff
    /// The end of a period that no store has reported.
    case clock
}
