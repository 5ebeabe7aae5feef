import Billing
import Foundation

extension StoreTransaction {
    /// One item of an order, in the words that all stores share.
    ///
    /// - Parameters:
    ///   - name: of the item in our books.
    ///   - line: of the order.
    ///   - keepsAccess: whether the purchase goes on although money was given back.
    /// - Throws: `.missing` where nothing says when it began.
    init(
        _ name: GoogleItemName,
        _ order: GoogleOrder,
        line: GoogleOrder.Line,
        keepsAccess: Bool
    ) throws(GatewayError) {
        guard let start = line.startsAt ?? order.processedAt ?? order.createdAt else {
            throw GatewayError(.missing, "Google's order does not say when it began.")
        }
        self.init(
            id: name.transactionID,
            originalID: name.originalID,
            productID: line.isSubscription ? line.catalogID : line.productID,
            kind: line.isSubscription ? .autoRenewable : .nonConsumable,
            purchasedAt: start,
            expiresAt: line.isSubscription ? line.endsAt : nil,
            price: order.isCharged ? line.total : nil,
            quantity: Int(clamping: line.quantity),
            reason: name.order.renewal == nil ? .purchase : .renewal,
            offer: line.offer(usedCode: false),
            revocation: try order.revocation(of: line, keepsAccess: keepsAccess),
            storefront: GoogleCountry.storefront(order.country),
            purchaseID: name.transactionID,
            isKindAssumed: line.isSubscription ? nil : true
        )
    }
}

extension GoogleOrder.Line {
    /// nil of a period that is sold at its plan's own price.
    func offer(usedCode: Bool) -> StoreTransaction.Offer? {
        let isFree = phase == .freeTrial
        guard isFree || phase == .introductory || usedCode else { return nil }
        return StoreTransaction.Offer(
            kind: usedCode ? .code : .introductory,
            identifier: offerID ?? basePlanID.map { "\(productID):\($0)" },
            isFreeTrial: isFree
        )
    }
}

extension GoogleOrder {
    /// The amount given back so far of one of its lines; nil where nothing was.
    func revocation(
        of line: Line,
        keepsAccess: Bool
    ) throws(GatewayError) -> StoreTransaction.Revocation? {
        guard let refund, let at = refund.at ?? processedAt ?? createdAt else { return nil }
        return StoreTransaction.Revocation(
            at: at,
            reason: refund.isChargeback ? 1 : nil,
            milliPercent: try share(of: refund),
            amount: amount(of: refund, for: line),
            keepsAccess: keepsAccess ? true : nil
        )
    }

    /// The amount that was given back of a line. Google names that of the order, which its lines bear in proportion: by the sums up to
    /// each line, so that together they come to the very amount.
    ///
    /// - Returns: nil of all of it, and where Google does not say what each line cost.
    private func amount(of refund: Refund, for line: Line) -> Money? {
        guard !refund.isFull, let given = refund.total else { return nil }
        guard lines.count > 1 else { return given }
        var (before, sum, isPassed) = (Int128(0), Int128(0), false)
        for each in lines.sorted(by: { $0.productID < $1.productID }) {
            guard let total = each.total, total.currency == given.currency, total.minorUnits >= 0 else { return nil }
            if each == line { isPassed = true }
            if !isPassed { before += Int128(total.minorUnits) }
            sum += Int128(total.minorUnits)
        }
        guard let own = line.total, isPassed, sum > 0, Int128(given.minorUnits) <= sum else { return nil }
        func part(upTo amount: Int128) -> Int128 { (Int128(given.minorUnits) * amount * 2 + sum) / (sum * 2) }
        let units = part(upTo: before + Int128(own.minorUnits)) - part(upTo: before)
        return Money(minorUnits: Int64(clamping: units), currency: given.currency)
    }

    /// In thousandths of a percent.
    private func share(of refund: Refund) throws(GatewayError) -> Int {
        guard !refund.isFull, let given = refund.total else { return 100_000 }
        guard let total, total.currency == given.currency, total.minorUnits > 0,
            (0...total.minorUnits).contains(given.minorUnits)
        else { throw GatewayError(.malformed, "What was refunded of Google's order is not a part of it.") }
        let share = (Int128(given.minorUnits) * 200_000 + Int128(total.minorUnits)) / (Int128(total.minorUnits) * 2)
        return Int(clamping: share)
    }
}
