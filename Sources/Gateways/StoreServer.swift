package import Billing
package import Foundation

/// A store's server API: operations that the store performs for an app.
package protocol StoreServer: Sendable {
    /// Answers the store's question about a refund. Sending the answer again does no harm.
    func answer(
        _ answer: StoreAnswer,
        about transactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure)

    /// Extends the renewal date of one subscription. The same id again does nothing more.
    ///
    /// - Returns: the new renewal date, if the store names it.
    func extend(
        _ originalTransactionID: String,
        by length: StoreExtension,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> Date?

    /// Starts an extension of the renewal date for all subscribers of a product. The same id again does nothing more.
    ///
    /// - Parameter storefronts: three-letter countries; nil for all.
    func extendAll(
        subscribersTo productID: String,
        by length: StoreExtension,
        storefronts: [String]?,
        in environment: StoreEnvironment
    ) async throws(StoreFailure)

    /// The result of that extension; nil while the store is still working on it.
    func progress(
        of id: UUID,
        forProduct productID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> StoreExtensionCounts?
}

/// The length of a renewal extension and its reason.
package struct StoreExtension: Sendable, Hashable {
    /// Its id at the store.
    package var id: UUID
    /// 1 to 90.
    package var days: Int
    package var reason: ExtensionReason
    /// The end that the days are added to, as it is known here; Google needs it, whose calls have no ids.
    package var from: Date?

    package init(id: UUID, days: Int, reason: ExtensionReason, from: Date? = nil) {
        (self.id, self.days, self.reason, self.from) = (id, days, reason, from)
    }
}

/// The numbers of subscribers that an extension succeeded for and failed for.
package struct StoreExtensionCounts: Sendable, Hashable {
    package var succeeded: Int64?
    package var failed: Int64?

    package init(succeeded: Int64?, failed: Int64?) {
        (self.succeeded, self.failed) = (succeeded, failed)
    }
}

/// The answer to a store that asked about a refund; the customer has consented.
package struct StoreAnswer: Sendable, Hashable {
    package var preference: RefundPreference
    /// The consumed share, in thousandths of a percent; nil for a purchase that renews automatically.
    package var percentage: Int?
    package var providesSamples: Bool
    /// By which the store knows its question (`StoreEvent.reviewToken`); nil where it has no such thing.
    package var reviewToken: String?

    package init(preference: RefundPreference, percentage: Int?, providesSamples: Bool, reviewToken: String? = nil) {
        self.reviewToken = reviewToken
        self.preference = preference
        self.percentage = percentage
        self.providesSamples = providesSamples
    }
}
