import Billing
import Foundation

extension SimulatedSubscriber {
    /// Makes the first purchase, or one after an end: a new period begins at `date`.
    mutating func buy(_ product: SimulatedProduct, at date: Date, withTrial: Bool = false) {
        anchor = withTrial ? date.addingTimeInterval(7 * day) : date
        periodsSinceAnchor = withTrial ? 0 : 1
        recentStart = date
        renewsAutomatically = true
        pricePercent = turns?.pricePercent(at: date) ?? 100
        priceIncreaseStatus = nil
        nextProduct = product
        charge(product, at: date, expiring: withTrial ? anchor : end(of: periodsSinceAnchor, of: product))
        if withTrial {
            transaction.isFreeTrial = true
            transaction.price = 0
        }
    }

    /// Begins the next period, paid at `date`; it ends on the calendar's day, however late the payment was.
    mutating func renew(at date: Date) {
        let product = nextProduct
        if product.period != transaction.product.period {
            anchor = transaction.expiresDate
            periodsSinceAnchor = 0
        }
        periodsSinceAnchor += 1
        charge(product, at: date, expiring: end(of: periodsSinceAnchor, of: product))
        transaction.isRenewal = true
        if let offer = pendingOffer {
            transaction.offerIdentifier = offer
            transaction.price /= 2
            pendingOffer = nil
        }
    }

    /// Begins the next period after a lapse: it counts from the payment.
    mutating func recover(at date: Date) {
        anchor = date
        periodsSinceAnchor = 0
        renew(at: date)
    }

    /// Changes to a better product at once, at `date`.
    mutating func upgrade(to product: SimulatedProduct, at date: Date) {
        anchor = date
        periodsSinceAnchor = 1
        nextProduct = product
        transaction.isUpgraded = true
        charge(product, at: date, expiring: end(of: periodsSinceAnchor, of: product))
    }

    private mutating func charge(_ product: SimulatedProduct, at date: Date, expiring: Date) {
        let id = nextTransactionID()
        if transaction.originalID.isEmpty {
            transaction.originalID = id
        } else {
            previous = transaction
        }
        transaction.id = id
        transaction.webOrderLineItemID = "9" + id.dropFirst()
        transaction.product = product
        transaction.purchaseDate = date
        transaction.expiresDate = expiring
        transaction.price = price(of: product)
        transaction.isRenewal = false
        transaction.isFreeTrial = false
        transaction.offerIdentifier = nil
        transaction.isUpgraded = false
        transaction.revocation = nil
    }

    private func end(of count: Int, of product: SimulatedProduct) -> Date {
        product.period.end(of: count, periodsFrom: anchor, in: .gmt)
    }
}

/// The length of a day in seconds.
let day: TimeInterval = 86_400
let hour: TimeInterval = 3_600
