/// The bodies of the answers that a store wants to its notifications, beside their statuses: 200, 4xx or 5xx.
package struct DeliveryAnswers: Hashable, Sendable {
    /// Without its charset, which is UTF-8.
    package let mediaType: String
    /// To a notification that was taken in; the store sends it no more.
    package let taken: String
    /// To one that was not; the store sends it again.
    package let notTaken: String

    package init(_ mediaType: String, taken: String, notTaken: String) {
        (self.mediaType, self.taken, self.notTaken) = (mediaType, taken, notTaken)
    }
}
