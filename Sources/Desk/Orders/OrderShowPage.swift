import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// One order: `/dashboard/orders/{number}`.
package struct OrderShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let backText: StaticString
    let number: String
    let status: StatusText
    /// "Pro yearly · 李娜 · Apple, production"
    let summary: String
    let created: DateText
    let zoneLabel: String
    let isSandbox: Bool
    /// That its purchase has another order, or that more was paid back than was charged; nil where all is well.
    let warning: String?
    /// The page of what staff did to it; nil for a role that may not see that.
    let historyHref: String?
    let charged: String
    let refunded: String?
    /// The credit of an upgrade; nil for nothing.
    let credited: String?
    let kept: MoneyText
    let entries: [Entry]
    let originalTransactionID: String
    let subscriptionHref: String?
    let subscriptionOrders: [SubscriptionOrder]
    let areSubscriptionOrdersCut: Bool
    let notificationCount: String
    let notifications: [Notification]
    /// nil where the page is made without them.
    let refunds: OrderRefundsPart?
    /// nil where no bill has it.
    let bill: OrderBillPart?
    let customer: CustomerFacts
    let store: StoreFacts
    /// nil where our server opened no order at the store.
    let checkout: OrderCheckoutPart?

    struct Entry: Sendable {
        var name: StaticString
        var status: StatusText
        var storeTransaction: String
        var happened: DateText
        var recorded: DateText
        var money: MoneyText
        var failure: String?
    }

    struct SubscriptionOrder: Sendable {
        /// nil for the order whose page this is.
        var href: String?
        var number: String
        var name: StaticString
        /// The period that it paid for: "15 Dec 2024" to "15 Dec 2025".
        var starts: String
        var ends: String
        var status: StatusText
        var money: MoneyText
    }

    struct Notification: Sendable {
        var href: String
        var type: String
        var subtype: String?
        /// When the store said it, by the store's clock.
        var signed: DateText
        var received: DateText
        /// "processed in 14 ms"
        var outcome: String
        var isBad: Bool
        /// Its effect on this order: "created this order", "changed this order".
        var effect: StaticString?
        var reason: String?
    }

    struct CustomerFacts: Sendable {
        var name: String?
        var email: BreakableText?
        var externalID: String?
        var key: String
        var entitlement: EntitlementText
        var href: String
        var ordersHref: String
        var isPersonalDataHidden: Bool
    }

    struct StoreFacts: Sendable {
        var name: String
        var environment: StaticString
        var transaction: String
        /// Other transaction ids of the purchase.
        var otherTransactions: [String]
        var original: String
        var product: BreakableText
        var storefront: String?
        /// Where it is not one.
        var quantity: String?
        /// "3 of 8 seats refunded"; nil where none were.
        var seats: String?
        var offer: String?
        /// "30% – first year of paid service"; nil for what is free.
        var share: String?
        /// That the store has no known terms for the storefront.
        var shareNote: StaticString?
    }

    /// - Parameter from: the list to go back to, as the request named it; anything but a path of the dashboard is
    ///   ignored.
    package init(
        details: OrderDetails,
        refunds: OrderRefundDetails? = nil,
        billed: [OrderBillRow] = [],
        person refundPerson: RefundPerson? = nil,
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (order, zone, strings) = (details.order, viewer.zone, viewer.strings)
        let back = DashboardPath.safe(from)
        let own = DashboardPath.order(order.number)
        frame = DashboardFrame(viewer, section: .orders, path: own + DashboardPath.suffix(from: back), now: now)
        status = StatusText(order.status, strings)
        title = strings.ordersPageTitle(number: order.number, status: status.within.description)
        backHref = back ?? DashboardPath.orders
        backText = BackText.name(of: backHref, otherwise: strings.ordersTitle, strings)
        number = order.number
        isSandbox = order.environment == .sandbox
        warning =
            order.joinedInto.map { kept in
                kept == order.number ? strings.ordersAssigned.description : strings.ordersJoined(order: kept)
            }
            ?? order.amount.flatMap { amount in
                guard order.refunded > amount else { return nil }
                let paidTwice = MoneyText(order.refunded.minus(amount), order.currency, strings).amount
                return strings.ordersPaidTwice(amount: paidTwice)
            }
        let person = PersonText(details.customer, viewer)
        let place = StoreText.place(order.store, order.environment, strings)
        summary = [order.productName, person.name, place].joined(separator: " · ")
        created = DateText(order.purchasedAt, in: zone, strings)
        historyHref = viewer.may(.viewAudit) ? DashboardPath.history(of: "order", order.number) : nil
        zoneLabel = DateText.zone(of: order.purchasedAt, in: zone)

        let isCharged =
            switch order.status {
            case .completed, .partiallyRefunded, .refunded, .superseded: true
            case .pending, .failed, .cancelled: false
            }
        let isPriced = order.amount != nil
        charged =
            isCharged
            ? strings.ordersCharged(amount: MoneyText(order.amount, order.currency, strings).amount)
            : isPriced ? strings.ordersNothingCharged.description : strings.ordersAmountNotKnown.description
        let isRefunded = order.refunded > 0
        refunded =
            isRefunded
            ? strings.ordersRefunded(amount: MoneyText(order.refunded, order.currency, strings).amount)
            : isPriced || order.refundedAt == nil ? nil : strings.ordersRefundedNotKnown.description
        let credits = [
            order.credited > 0
                ? strings.ordersCredited(amount: MoneyText(order.credited, order.currency, strings).amount) : nil,
            order.carriedIn > 0
                ? strings.ordersCarriedIn(amount: MoneyText(order.carriedIn, order.currency, strings).amount) : nil,
            order.carriedOut > 0
                ? strings.ordersCarriedOut(amount: MoneyText(order.carriedOut, order.currency, strings).amount) : nil,
        ].compactMap(\.self)
        credited = credits.isEmpty ? nil : credits.joined(separator: " · ")
        let left = order.amount.map { $0.minus(order.refunded).minus(order.credited) }
        kept = MoneyText(isCharged || !isPriced ? left : 0, order.currency, strings)
        bill = OrderBillPart(billed, at: order.store, viewer: viewer)
        entries = details.ledger.map { Entry($0, currency: order.currency, zone: zone, strings) }

        originalTransactionID = order.originalTransactionID
        subscriptionHref = details.subscription.map { DashboardPath.subscription($0, from: own) }
        subscriptionOrders = details.subscriptionOrders.map {
            SubscriptionOrder($0, current: order.number, from: back, zone: zone, strings)
        }
        areSubscriptionOrdersCut = details.subscriptionOrders.count >= OrderDetails.listLimit

        notifications = details.notifications.map { notification in
            let entry = details.ledger.first { $0.notification == notification.id }
            return Notification(notification, entry: entry?.kind, from: back ?? own, zone: zone, strings)
        }
        notificationCount = strings.ordersNotifications(count: notifications.count)
        self.refunds =
            if let refunds, let refundPerson {
                OrderRefundsPart(refunds, of: order, back: back, person: refundPerson, viewer: viewer, now: now)
            } else { nil }
        customer = CustomerFacts(details, viewer: viewer, now: now)
        store = StoreFacts(order, strings)
        checkout = details.checkout.map { OrderCheckoutPart($0, viewer) }
    }
}

extension OrderShowPage.Entry {
    fileprivate init(_ entry: OrderDetails.Entry, currency: Currency?, zone: BusinessZone, _ strings: Strings) {
        name = StoreText.name(of: entry.kind, strings)
        status = StatusText(entry.status, strings)
        storeTransaction = entry.storeTransactionID
        happened = DateText(entry.occurredAt, in: zone, strings, showsSeconds: true)
        recorded = DateText(entry.recordedAt, in: zone, strings, showsSeconds: true)
        money = MoneyText(entry.amount, currency, strings, showsPlus: true)
        failure = entry.failureReason
    }
}

extension OrderShowPage.SubscriptionOrder {
    fileprivate init(
        _ order: OrderDetails.SubscriptionOrder,
        current: String,
        from: String?,
        zone: BusinessZone,
        _ strings: Strings
    ) {
        href = order.number == current ? nil : DashboardPath.order(order.number, from: from)
        number = order.number
        name = StoreText.name(of: order.kind, strings)
        starts = DateText.day(order.periodStartsAt, in: zone, strings)
        ends = order.periodEndsAt.map { DateText.day($0, in: zone, strings) } ?? strings.partsNoEnd.description
        status = StatusText(order.status, strings)
        money = MoneyText(order.amount, order.currency, strings)
    }
}

extension OrderShowPage.Notification {
    /// - Parameter entry: the kind of entry that it booked for this order.
    fileprivate init(
        _ notification: OrderDetails.Notification,
        entry: LedgerEntry.Kind?,
        from: String,
        zone: BusinessZone,
        _ strings: Strings
    ) {
        href = DashboardPath.notification(notification.id, from: from)
        type = notification.type
        subtype = notification.subtype
        signed = DateText(notification.signedAt, in: zone, strings)
        received = DateText(notification.receivedAt, in: zone, strings)
        let word = StatusText(notification.state, strings).within.description
        outcome =
            notification.finishedAt.map {
                strings.ordersOutcome(
                    duration: DateText.duration(from: notification.receivedAt, to: $0, strings),
                    status: word
                )
            } ?? word
        isBad = notification.state == .failed
        effect =
            switch entry {
            case .initialPurchase, .renewal, .upgrade, .downgrade: strings.ordersMadeOrder
            case .refund, .revoke, .refundReversal, .upgradeCredit, .upgradeCreditReversal: strings.ordersChangedOrder
            case nil: nil
            }
        reason = notification.lastError ?? notification.rejectionReason
    }
}

extension OrderShowPage.CustomerFacts {
    fileprivate init(_ details: OrderDetails, viewer: Viewer, now: Date) {
        name = details.customer.name?.shown(to: viewer)
        email = details.customer.email?.shown(to: viewer).map { BreakableText($0) }
        externalID = details.customer.externalID
        key = details.customer.key
        entitlement = EntitlementText(
            details.subscriptions,
            held: details.entitlementSources,
            standing: details.entitlementSources?.standing(basePlan: details.basePlan, at: now),
            zone: viewer.zone,
            viewer.strings,
            now: now
        )
        href = DashboardPath.customer(details.customer.id, from: DashboardPath.order(details.order.number))
        ordersHref = OrderFilter(customer: details.customer.id).path
        isPersonalDataHidden = !viewer.seesPersonalData
    }
}

extension OrderShowPage.StoreFacts {
    fileprivate init(_ order: OrderDetails.Order, _ strings: Strings) {
        name = StoreText.name(of: order.store, strings)
        environment = StoreText.name(of: order.environment, strings)
        transaction = order.transactionID
        otherTransactions = order.otherTransactionIDs
        original = order.originalTransactionID
        product = BreakableText(order.storeProductID)
        storefront = order.storefront
        quantity = order.quantity == 1 ? nil : strings.number(order.quantity)
        seats = order.revokedSeats > 0 ? order.seatText(strings) : nil
        offer = order.offer.map { $0.text(strings) }
        share = order.storeShare.map { share in
            let number = strings.decimal(UInt64(share.basisPoints.magnitude), places: 2, trimmed: true)
            let percent = strings.chartsPercent(number: number)
            return share.isOfFirstYear
                ? strings.ordersShareFirstYear(percent: percent) : strings.ordersShareLater(percent: percent)
        }
        shareNote = order.storeShare?.isOfWorld == true ? strings.ordersShareOfWorld : nil
    }
}

extension OrderDetails.Order {
    /// "3 of 8 seats refunded", with why the amount is an estimate.
    fileprivate func seatText(_ strings: Strings) -> String {
        let (revoked, all) = (strings.number(revokedSeats), strings.number(quantity))
        return isRefundEstimated
            ? strings.ordersSeatsEstimated(quantity: all, revoked: revoked).description
            : strings.ordersSeatsRefunded(quantity: all, revoked: revoked).description
    }
}

extension StoreTransaction.Offer {
    /// "Promotional offer: spring24, free trial"
    fileprivate func text(_ strings: Strings) -> String {
        let text = OfferText.name(of: kind, identifier, strings)
        return isFreeTrial ? strings.ordersOfferTrial(offer: text).description : text
    }
}
