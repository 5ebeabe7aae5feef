import Foundation

/// The upgrades among purchases at our own checkout. The unused part of what they replaced was taken off their price, so nothing is
/// credited; a period that was bought ahead is replaced as well as the running one.
struct BoughtUpgrades {
    /// The purchases in the order in which they were settled.
    private var places: [String: Int] = [:]
    private var upgrades: [(id: String, startsAt: Date, eventID: String)] = []
    /// Purchases that ended because of an upgrade in another subscription.
    private var endings: [String: (at: Date, eventID: String)] = [:]

    /// Takes note of an event that was taken; they come in signed order.
    mutating func note(_ event: StoreEvent) {
        let transaction = event.transaction
        if places[transaction.id] == nil { places[transaction.id] = places.count }
        if event.kind == .upgraded, !upgrades.contains(where: { $0.id == transaction.id }) {
            upgrades.append((transaction.id, transaction.periodStartsAt, event.id))
        }
        if transaction.isUpgraded == true, endings[transaction.id] == nil {
            endings[transaction.id] = (event.signedAt, event.id)
        }
    }

    /// nil of an order that nothing has replaced before its period was over.
    func supersession(of order: BookedOrder) -> Supersession? {
        guard let place = places[order.transactionID], let end = order.periodEndsAt else { return nil }
        if let ending = endings[order.transactionID], ending.at < end {
            return Supersession(at: max(ending.at, order.purchasedAt), eventID: ending.eventID, isCredited: false)
        }
        let upgrade = upgrades.first { $0.startsAt < end && places[$0.id, default: 0] > place }
        return upgrade.map {
            Supersession(at: max($0.startsAt, order.purchasedAt), eventID: $0.eventID, isCredited: false)
        }
    }
}
