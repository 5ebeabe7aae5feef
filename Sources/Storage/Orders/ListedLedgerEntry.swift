package import Billing
package import Foundation

/// A ledger entry as a list shows it, and what it is of.
package struct ListedLedgerEntry: Sendable {
    package var id: UUID
    package var kind: LedgerEntry.Kind
    package var amount: Money
    /// In what the app reports in, at the rate of the day; nil without a rate.
    package var converted: Money?
    /// What one unit of the currency was that day; nil without a rate, or as text with the decimals that tell it apart.
    package var rate: String?
    /// Who paid what was given back.
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
