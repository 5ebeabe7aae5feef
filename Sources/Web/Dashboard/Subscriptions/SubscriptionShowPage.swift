import Billing
package import Foundation
import Operations
package import Storage

/// One subscription: `/dashboard/subscriptions/{id}`.
package struct SubscriptionShowPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let title: String
    let backHref: String
    let backText: StaticString
    let product: String
    let plan: String?
    let status: StatusText
    let place: String
    let isSandbox: Bool
    let customerHref: String
    let person: PersonText
    /// What may be done about this subscription; each leads to its own page.
    let actions: [PageAction]
    let id: String
    let originalID: String
    let storeProduct: String?
    let started: DateText
    let periodStarts: DateText?
    let periodEnds: DateText?
    let graceEnds: DateText?
    let trialEnds: DateText?
    let cancelled: DateText?
    let ended: DateText?
    /// "renews 15 Dec 2026, 128.00 CNY"
    let following: String
    let isFamilyShared: Bool
    let zoneLabel: String
    let orders: [Period]
    let events: [EventRow]
    let isCut: Bool
    let notifications: [NotificationRow]

    struct Period: Sendable {
        var href: String
        var number: String
        var name: StaticString
        var starts: String
        var ends: String
        var status: StatusText
        var money: MoneyText
    }

    struct EventRow: Sendable {
        var title: StaticString
        var href: String?
        var isBad: Bool
        var isChange: Bool
        var before: StatusText
        var after: StatusText
        var refusal: String?
        var signed: DateText
        var recorded: DateText
    }

    struct NotificationRow: Sendable {
        var href: String
        var type: String
        var subtype: String?
        var status: StatusText
        var received: DateText
        var remark: String?
    }

    /// - Parameter from: the page to go back to, as the request named it; anything but a path of the dashboard is ignored.
    package init(
        details: SubscriptionDetails,
        actions: [PageAction] = [],
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (row, zone, words) = (details.row, viewer.zone, viewer.words)
        let subscription = row.subscription
        let back = DashboardPath.safe(from)
        let here = DashboardPath.subscription(row.id)
        frame = DashboardFrame(
            viewer,
            section: .subscriptions,
            path: here + DashboardPath.suffix(from: back),
            now: now
        )
        backHref = back ?? DashboardPath.subscriptions
        backText = BackText.name(of: backHref, otherwise: words.subscriptionsTitle, words)
        product = row.productName ?? details.storeProductID ?? words.subscriptionsUnknown.description
        plan = row.planCode
        status = StatusText(subscription.state(at: now), words)
        person = PersonText(row.customer, viewer)
        title = words.subscriptionsPageTitle(
            name: person.name,
            product: product,
            status: status.within.description
        )
        place = StoreText.place(row.store, row.environment, words)
        isSandbox = row.environment == .sandbox
        customerHref = DashboardPath.customer(row.customer.id, from: here)
        // What staff do to a subscription is written down at whom it belongs to.
        let history = PageAction(
            label: words.auditHistory.description,
            href: DashboardPath.history(of: "customer", row.customer.id.description)
        )
        self.actions = actions + (viewer.may(.viewAudit) ? [history] : [])
        id = row.id.description
        originalID = row.originalTransactionID
        storeProduct = details.storeProductID
        func text(_ date: Date?) -> DateText? { date.map { DateText($0, in: zone, words) } }
        started = DateText(row.startedAt, in: zone, words)
        periodStarts = text(subscription.periodStartsAt)
        periodEnds = text(subscription.periodEndsAt)
        graceEnds = text(subscription.gracePeriodEndsAt)
        trialEnds = text(details.trialEndsAt)
        cancelled = text(subscription.cancelledAt)
        ended = text(subscription.endedAt)
        following =
            EntitlementText([details.held], zone: zone, words, now: now).following
            ?? words.subscriptionsNothing.description
        isFamilyShared = details.isFamilyShared
        zoneLabel = zone.label
        orders = details.orders.map { Period($0, from: here, zone: zone, words) }
        events = details.events.map { EventRow($0, from: here, zone: zone, words) }
        isCut = details.orders.count >= OrderDetails.listLimit || details.events.count >= OrderDetails.listLimit
        notifications = details.notifications.map { NotificationRow($0, from: here, zone: zone, words) }
    }
}

extension SubscriptionShowPage.Period {
    fileprivate init(_ order: OrderDetails.ChainOrder, from: String, zone: BusinessZone, _ words: Words) {
        href = DashboardPath.order(order.number, from: from)
        number = order.number
        name = StoreText.name(of: order.kind, words)
        starts = DateText.day(order.periodStartsAt, in: zone, words)
        ends = order.periodEndsAt.map { DateText.day($0, in: zone, words) } ?? words.partsNoEnd.description
        status = StatusText(order.status, words)
        money = MoneyText(order.amount, order.currency, words)
    }
}

extension SubscriptionShowPage.EventRow {
    fileprivate init(_ event: SubscriptionDetails.Event, from: String, zone: BusinessZone, _ words: Words) {
        title = EventText.title(of: event.kind, words)
        href = event.notification.map { DashboardPath.notification($0, from: from) }
        isBad = EventText.isBad(event.kind) || event.refusal != nil
        isChange = event.before != event.after
        before = StatusText(event.before, words)
        after = StatusText(event.after, words)
        refusal = event.refusal
        signed = DateText(event.signedAt, in: zone, words)
        recorded = DateText(event.recordedAt, in: zone, words)
    }
}

extension SubscriptionShowPage.NotificationRow {
    fileprivate init(_ notification: OrderDetails.Notification, from: String, zone: BusinessZone, _ words: Words) {
        href = DashboardPath.notification(notification.id, from: from)
        type = notification.type
        subtype = notification.subtype
        status = StatusText(notification.state, words)
        received = DateText(notification.receivedAt, in: zone, words)
        remark = notification.lastError ?? notification.refusal
    }
}
