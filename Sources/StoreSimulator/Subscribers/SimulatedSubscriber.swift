import Billing
import Foundation

/// Simulates one customer's subscription from the first purchase on, as the notifications that Apple would send.
///
/// Pure: all events come from the seed alone, and those after `end` are left out.
struct SimulatedSubscriber {
    let customer: SimulatedCustomer
    let catalog: SimulatedCatalog
    let turns: SimulatedTurns?
    let end: Date
    /// The prefix of this subscriber's transaction ids; no two subscribers share one.
    let transactionPrefix: String
    var scenario: Scenario?
    var random: SeededRandom

    private(set) var notifications: [SimulatedNotification] = []
    /// The current period in the store's books.
    var transaction: SimulatedTransaction
    /// The period before this one.
    var previous: SimulatedTransaction?
    var nextProduct: SimulatedProduct
    var renewsAutomatically = true
    /// Periods end at whole multiples after this date, so that a month's end does not drift.
    var anchor: Date
    var periodsSinceAnchor = 0
    var recentStart: Date
    /// The price in percent of the list price; above 100 after an increase.
    var pricePercent: Int64 = 100
    var priceIncreaseStatus: Int64?
    var pendingOffer: String?
    private var transactionCount = 0

    init(
        of customer: SimulatedCustomer,
        buying product: SimulatedProduct,
        in catalog: SimulatedCatalog,
        turns: SimulatedTurns?,
        until end: Date,
        transactionPrefix: String,
        scenario: Scenario?,
        random: SeededRandom
    ) {
        self.customer = customer
        self.catalog = catalog
        self.turns = turns
        self.end = end
        self.transactionPrefix = transactionPrefix
        self.scenario = scenario
        self.random = random
        let start = customer.joinsAt
        nextProduct = product
        anchor = start
        recentStart = start
        transaction = SimulatedTransaction(
            id: "",
            originalID: "",
            webOrderLineItemID: "",
            product: product,
            groupID: product.group,
            purchaseDate: start,
            originalPurchaseDate: start,
            expiresDate: start,
            price: 0,
            currency: customer.storefront.currency,
            storefront: customer.storefront,
            appAccountToken: customer.token,
            isRenewal: false,
            isFamilyShared: customer.isFamilyMember,
            isFreeTrial: false,
            isUpgraded: false
        )
    }

    /// Runs the history to its end.
    mutating func live() {
        if customer.environment == .sandbox { return liveInSandbox() }
        if customer.isFamilyMember { return liveInFamily() }
        let wantsTrial = scenario?.startsWithTrial ?? random.chance(0.75)
        buy(nextProduct, at: customer.joinsAt, withTrial: wantsTrial && nextProduct.hasTrial)
        tell("SUBSCRIBED", "INITIAL_BUY", at: customer.joinsAt)
        while transaction.expiresDate < end || isWithinPeriod {
            let goesOn = livePeriod() && settle()
            guard goesOn || comeBack() else { return }
        }
    }

    /// Records a notification about the present state; `change` alters the renewal info of this one only.
    mutating func tell(
        _ type: String,
        _ subtype: String? = nil,
        at date: Date,
        status: Int64 = 1,
        about other: SimulatedTransaction? = nil,
        reason: String? = nil,
        change: (inout SimulatedRenewal) -> Void = { _ in }
    ) {
        let uuid = random.uuid()
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded() + Double(random.index(below: 1_500) + 500)
        var signedDate = Date(timeIntervalSince1970: milliseconds / 1_000)
        if let last = notifications.last?.signedDate, signedDate <= last {
            signedDate = Date(timeIntervalSince1970: (last.timeIntervalSince1970 + 1).rounded(.up))
        }
        guard signedDate <= end else { return }
        var renewal = SimulatedRenewal(
            originalID: transaction.originalID,
            product: transaction.product,
            nextProduct: nextProduct,
            renewsAutomatically: renewsAutomatically,
            renewalDate: transaction.expiresDate,
            renewalPrice: price(of: nextProduct),
            currency: transaction.currency,
            recentSubscriptionStartDate: recentStart,
            priceIncreaseStatus: priceIncreaseStatus,
            appAccountToken: customer.token
        )
        change(&renewal)
        notifications.append(
            SimulatedNotification(
                notificationUUID: uuid,
                type: type,
                subtype: subtype,
                signedDate: signedDate,
                environment: customer.environment,
                bundleID: catalog.bundleID,
                appAppleID: catalog.appAppleID,
                status: status,
                consumptionRequestReason: reason,
                transaction: other ?? transaction,
                renewal: renewal,
                customer: customer.token
            )
        )
    }

    /// Returns the price that this customer pays for a period of a product.
    func price(of product: SimulatedProduct) -> Int64 {
        guard !customer.isFamilyMember else { return 0 }
        let list = customer.storefront.price(of: product)
        // Increases keep the price's last digits: whole units are added.
        return list + list * (pricePercent - 100) / 100 / 1_000 * 1_000
    }

    /// Returns a date within the current period, in whole seconds.
    func moment(_ share: Double) -> Date {
        let length = transaction.expiresDate.timeIntervalSince(transaction.purchaseDate)
        return transaction.purchaseDate.addingTimeInterval((length * share).rounded(.down))
    }

    mutating func nextTransactionID() -> String {
        transactionCount += 1
        let digits = String(transactionCount)
        return transactionPrefix + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private var isWithinPeriod: Bool {
        transaction.purchaseDate <= end && end <= transaction.expiresDate
    }
}
