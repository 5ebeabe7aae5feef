package import Billing
package import Foundation

/// A store that does something for an app when it is asked.
package protocol StoreServer: Sendable {
    /// Tells the store what the app thinks of a refund. Telling it again does no harm.
    func answer(
        _ answer: StoreAnswer,
        about transactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure)

    /// Puts off the next renewal of one subscription. The same id again does nothing more.
    ///
    /// - Returns: when it renews now, where the store says so.
    func extend(
        _ originalTransactionID: String,
        by length: StoreExtension,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> Date?

    /// Has the store begin to put off the next renewal of all who subscribe to a product. The same id again does nothing more.
    ///
    /// - Parameter storefronts: three-letter countries; nil for all.
    func extendAll(
        subscribersTo productID: String,
        by length: StoreExtension,
        storefronts: [String]?,
        in environment: StoreEnvironment
    ) async throws(StoreFailure)

    /// What came of that; nil while the store is at it.
    func progress(
        of id: UUID,
        forProduct productID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> StoreExtensionCounts?
}

/// How long a store puts renewals off, and why.
package struct StoreExtension: Sendable, Hashable {
    /// Names it at the store.
    package var id: UUID
    /// 1 to 90.
    package var days: Int
    package var reason: ExtensionReason

    package init(id: UUID, days: Int, reason: ExtensionReason) {
        (self.id, self.days, self.reason) = (id, days, reason)
    }
}

/// For how many subscribers a store did it.
package struct StoreExtensionCounts: Sendable, Hashable {
    package var succeeded: Int64?
    package var failed: Int64?

    package init(succeeded: Int64?, failed: Int64?) {
        (self.succeeded, self.failed) = (succeeded, failed)
    }
}

/// What a store is told that asked about a refund; the customer has consented.
package struct StoreAnswer: Sendable, Hashable {
    package var preference: RefundPreference
    /// How much was consumed, in thousandths of a percent; nil of what renews by itself.
    package var percentage: Int?
    package var providesSamples: Bool

    package init(preference: RefundPreference, percentage: Int?, providesSamples: Bool) {
        self.preference = preference
        self.percentage = percentage
        self.providesSamples = providesSamples
    }
}
