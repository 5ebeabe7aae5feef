/// Where an event of a subscription's history came from (product.md, decision 14).
package enum EventSource: String, Sendable, Codable, CaseIterable {
    /// A store's own message, kept among the notifications.
    case notification
    /// A purchase whose app had it verified.
    case verification
    /// What a store answered when it was asked for what it had not told.
    case reconciliation
    /// Our own checkout, at a store that is a means of payment.
    case checkout
    /// A person.
    case staff
    /// The end of a period of which no store speaks.
    case clock
}
