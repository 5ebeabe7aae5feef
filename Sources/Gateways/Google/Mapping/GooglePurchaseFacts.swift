import Billing
import Foundation

/// All that Google answered of one purchase of something that does not renew. Pure: it asks nobody.
struct GooglePurchaseFacts: Sendable {
    var token: String
    var product: GoogleProduct
    /// nil where Google does not know it.
    var order: GoogleOrder?
    var askedAt: Date

    /// One event for each of its items; none of what waits for its payment, and of what was never paid for.
    ///
    /// - Parameters:
    ///   - id: of the message that made us ask; the others have the product behind it.
    ///   - isAsked: whether nobody but us asked.
    func events(id: String, isAsked: Bool = false) throws(GatewayError) -> [StoreEvent] {
        guard let orderID = product.orderID ?? order?.id else { return [] }
        guard product.state == .purchased || product.state == .canceled && order?.isCharged == true else { return [] }
        var events: [StoreEvent] = []
        let (names, products) = (GoogleItemNames(order), product.items.map(\.productID))
        let items = product.items.map { ($0, names.name(of: $0.productID, among: products, in: orderID)) }
        let sorted = items.filter { $0.1.product == nil } + items.filter { $0.1.product != nil }
        for (index, (item, name)) in sorted.enumerated() {
            let transaction = try transaction(of: item, name)
            let awaits = index == 0 && product.state == .purchased && !product.isAcknowledged
            let isTakenBack = product.state == .canceled && transaction.revocation != nil
            let kind = kind(isAsked: isAsked, isTakenBack: isTakenBack)
            let ownID = index == 0 ? id : "\(id):\(item.productID)"
            let event = StoreEvent(
                // Nobody told of it: it is one event however often Google is asked.
                id: isAsked && kind == .revoked ? "revoked:\(name.transactionID.prefix(200))" : ownID,
                store: .google,
                environment: product.environment,
                signedAt: askedAt,
                kind: kind,
                transaction: transaction,
                awaitsAcknowledgement: awaits ? true : nil,
                acknowledgeBy: awaits
                    ? transaction.purchasedAt.addingTimeInterval(GoogleStoreServer.acknowledgementTime) : nil,
                purchaseToken: token
            )
            do {
                try event.requireKeepable()
            } catch {
                throw GatewayError(.malformed, error.message, underlying: error)
            }
            events.append(event)
        }
        return events
    }

    /// A purchase that Google took back ends access, also while its order does not tell of the money yet.
    private func kind(isAsked: Bool, isTakenBack: Bool) -> StoreEvent.Kind {
        if product.state == .canceled && !isTakenBack { return .revoked }
        return isAsked ? .observed : isTakenBack ? .refunded : .purchasedOnce
    }

    private func transaction(
        of item: GoogleProduct.Item,
        _ name: GoogleItemName
    ) throws(GatewayError) -> StoreTransaction {
        guard let start = product.purchasedAt ?? order?.processedAt ?? order?.createdAt else {
            throw GatewayError(.missing, "Google does not say when it was bought.")
        }
        let line = order?.line(of: item.productID)
        guard line != nil || product.isTest else {
            throw GatewayError(.missing, "Google does not know the order of the purchase yet.")
        }
        return StoreTransaction(
            id: name.transactionID,
            originalID: name.transactionID,
            productID: item.productID,
            kind: item.isConsumed ? .consumable : .nonConsumable,
            purchasedAt: start,
            expiresAt: nil,
            price: line?.total,
            quantity: Int(clamping: item.quantity),
            reason: .purchase,
            revocation: try line.flatMap { line throws(GatewayError) in
                try order?.revocation(of: line, keepsAccess: product.state == .purchased)
            },
            customerToken: product.accountID.flatMap { UUID(uuidString: $0) },
            storefront: GoogleCountry.storefront(product.region ?? order?.country),
            purchaseID: name.transactionID,
            // Google says what was used up, and not what can be; the catalogue says which product lasts for how long.
            isKindAssumed: true
        )
    }
}
