package import Billing
package import Foundation

/// A ledger entry as a list shows it, and what it is of.
package struct ListedLedgerEntry: Sendable {
    package var id: UUID
    package var kind: LedgerEntry.Kind
    package var amount: Money
    /// In the app's reporting currency, at the rate of the day; nil without a rate.
    package var converted: Money?
    /// The rate of one whole unit of the currency on that day, as a decimal number; nil without a rate.
    package var rate: String?
    /// The party that paid the refund.
    package var payer: RefundPayer
    package var occurredAt: Date
    package var recordedAt: Date
    package var store: Store
    package var environment: StoreEnvironment
    package var orderNumber: String
    package var productName: String
    package var planCode: String
    /// Empty where the store did not say.
    package var country: String
}
