import Foundation

/// Finds the transactions of a history that are one purchase (product.md, decision 18).
///
/// A restore or another device gives the same purchase another transaction id (Apple staff, forums 711952 and 726541). Renewing and timed
/// purchases are one if product, ownership, quantity (so an addition of seats is never the period's first purchase) and the second of the
/// purchase agree, and the store's ids of the purchase (`StoreTransaction.purchaseID`) do not contradict; receipts have no milliseconds and
/// old messages no such id. A non-consumable is bought once in a history: another id of it is a copy, unless the store reports a purchase
/// after it was refunded or revoked. Each transaction of a consumable is its own purchase.
struct PurchaseIdentities {
    /// The name of each transaction's purchase, where that is another id.
    private var names: [String: String] = [:]
    /// All other ids of a purchase, by its name, in the order in which they first appeared.
    private(set) var others: [String: [String]] = [:]

    /// True where each transaction is a purchase of its own.
    var isTrivial: Bool { names.isEmpty }

    /// - Parameter events: in signed order.
    init(_ events: [StoreEvent]) {
        guard let first = events.first, events.contains(where: { $0.transaction.id != first.transaction.id })
        else { return }
        for purchase in Self.purchases(in: events) where purchase.ids.count > 1 {
            let name = purchase.ids.contains(purchase.originalID) ? purchase.originalID : purchase.ids[0]
            others[name] = purchase.ids.filter { $0 != name }
            for id in purchase.ids where id != name { names[id] = name }
        }
    }

    /// The id by which the books know a transaction's purchase: the original's where it is among them, else the one that was told
    /// first.
    func name(of transactionID: String) -> String { names[transactionID] ?? transactionID }

    fileprivate struct Purchase {
        var originalID: String
        var ids: [String]
        var purchaseID: String?
        var revokedAt: Date?
    }

    private struct Key: Hashable {
        var productID: String
        var isFamilyShared: Bool
        var isAssigned: Bool
        /// The period of a purchase that can be made again; nil for a non-consumable.
        var period: Period?

        struct Period: Hashable {
            var second: Double
            var quantity: Int
        }

        /// nil for a consumable: each transaction is its own purchase.
        init?(_ transaction: StoreTransaction) {
            (productID, isFamilyShared) = (transaction.productID, transaction.isFamilyShared)
            isAssigned = transaction.isAssigned == true
            switch transaction.kind {
            case .consumable: return nil
            case .nonConsumable: period = nil
            case .autoRenewable, .nonRenewing:
                period = Period(
                    second: transaction.purchasedAt.timeIntervalSince1970.rounded(.down),
                    quantity: transaction.quantity
                )
            }
        }
    }

    private static func purchases(in events: [StoreEvent]) -> [Purchase] {
        var purchaseIDs: [String: String] = [:]
        for event in events {
            guard let purchaseID = event.transaction.purchaseID else { continue }
            purchaseIDs[event.transaction.id] = purchaseIDs[event.transaction.id] ?? purchaseID
        }
        var purchases: [Purchase] = []
        var places: [Key: [Int]] = [:]
        var known: [String: Int] = [:]
        for event in events {
            let transaction = event.transaction
            if let place = known[transaction.id] {
                purchases[place].hear(event)
                continue
            }
            guard let key = Key(transaction) else { continue }
            let purchaseID = purchaseIDs[transaction.id]
            let place = places[key, default: []].first {
                purchases[$0].isSame(as: event, purchaseID, key.period == nil)
            }
            if let place {
                purchases[place].ids.append(transaction.id)
                purchases[place].purchaseID = purchases[place].purchaseID ?? purchaseID
                known[transaction.id] = place
            } else {
                known[transaction.id] = purchases.count
                places[key, default: []].append(purchases.count)
                purchases.append(
                    Purchase(originalID: transaction.originalID, ids: [transaction.id], purchaseID: purchaseID)
                )
            }
            if let place = known[transaction.id] { purchases[place].hear(event) }
        }
        return purchases
    }
}

extension PurchaseIdentities.Purchase {
    fileprivate func isSame(as event: StoreEvent, _ purchaseID: String?, _ isOwnedForEver: Bool) -> Bool {
        if let own = self.purchaseID, let purchaseID, own != purchaseID { return false }
        guard isOwnedForEver, event.kind == .purchasedOnce, event.transaction.revocation == nil, let revokedAt
        else { return true }
        return revokedAt > event.transaction.purchasedAt
    }

    fileprivate mutating func hear(_ event: StoreEvent) {
        if event.kind == .refundReversed {
            revokedAt = nil
        } else {
            revokedAt = event.transaction.revocation?.at ?? revokedAt
        }
    }
}
