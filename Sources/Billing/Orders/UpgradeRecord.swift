import Foundation

/// The upgrades that a subscription's messages report.
struct UpgradeRecord {
    /// The start of each auto-renewable transaction.
    private var starts: [String: Date] = [:]
    /// The transactions that began as upgrades, with the first event that reported it.
    private var upgrades: [String: String] = [:]
    /// The transactions that the customer upgraded from, with the first event that reported it.
    private var superseded: [String: String] = [:]
    /// The transactions that added seats to a period: they replaced nothing.
    private var additions: Set<String> = []
    /// The store gives the unused part of the old period back (`StoreRules.creditsUpgrades`).
    private var isCredited = true

    private var bought = BoughtUpgrades()

    /// Takes note of an event that was taken; they come in signed order.
    mutating func note(_ event: StoreEvent) {
        let transaction = event.transaction
        guard transaction.startsAt == nil else { return bought.note(event) }
        isCredited = event.store.rules.creditsUpgrades
        guard transaction.kind == .autoRenewable else { return }
        guard transaction.additionTo == nil else {
            additions.insert(transaction.id)
            return
        }
        starts[transaction.id] = starts[transaction.id] ?? transaction.purchasedAt
        if event.kind == .upgraded, transaction.replacesWithoutCredit != true {
            upgrades[transaction.id] = upgrades[transaction.id] ?? event.id
        }
        if transaction.isUpgraded == true { superseded[transaction.id] = superseded[transaction.id] ?? event.id }
    }

    /// The order's place was taken when the transaction after it began before its period was over, and the store says that this was
    /// an upgrade: of the one that the customer upgraded to, or of the one that they upgraded from.
    func supersession(of order: BookedOrder) -> Supersession? {
        if let supersession = bought.supersession(of: order) { return supersession }
        guard !upgrades.isEmpty || !superseded.isEmpty,
            starts[order.transactionID] != nil || additions.contains(order.transactionID),
            let end = order.periodEndsAt,
            let start = starts.values.filter({ $0 > order.purchasedAt }).min(), start < end
        else { return nil }
        let upgrade = upgrades.filter { starts[$0.key] == start }.min { $0.key < $1.key }
        guard let eventID = upgrade?.value ?? superseded[order.transactionID] else { return nil }
        return Supersession(at: start, eventID: eventID, isCredited: isCredited)
    }
}
