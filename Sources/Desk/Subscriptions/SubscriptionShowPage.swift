import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// One subscription: `/dashboard/subscriptions/{id}`.
package struct SubscriptionShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
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
    /// The actions that may be taken on this subscription; each leads to its own page.
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
    /// "3 of 12"; nil outside of a commitment.
    let commitment: String?
    let committedUntil: DateText?
    /// "119.88 USD": of all its periods together.
    let committedPrice: String?
    let commitmentCancelled: DateText?
    /// When the store will charge, of what renews.
    let renewsAt: DateText?
    let renewalOffer: String?
    let priceConsent: StaticString?
    let winBackOffers: [String]
    let ended: DateText?
    /// "renews 15 Dec 2026, 128.00 CNY"
    let following: String
    let isFamilyShared: Bool
    /// Of what somebody else pays for: whether it is a seat that was assigned.
    let isAssigned: Bool
    /// "8 seats, 5 used", "renews with 5 seats", "3 of 8 refunded"; none for what is not sold by seats.
    let seats: [String]
    /// The members who have them, where the app invites.
    let members: [SeatRowText]
    /// True if there may be any.
    let showsMembers: Bool
    /// The store's claims that nobody here made.
    let unknownSeats: [UnknownSeatText]
    /// All seats of the group, page by page.
    let seatsHref: String
    let zoneLabel: String
    let orders: [Period]
    let events: [EventRow]
    let isCut: Bool
    let notifications: [NotificationRow]

    struct UnknownSeatText: Sendable {
        var id: String
        var firstSeen: DateText
    }

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
        /// Where it came from, if not in a notification.
        var source: StaticString?
        var href: String?
        var isBad: Bool
        var isChange: Bool
        var before: StatusText
        var after: StatusText
        var rejectionReason: String?
        var signed: DateText
        var recorded: DateText
    }

    struct NotificationRow: Sendable {
        var href: String
        var type: String
        var subtype: String?
        var status: StatusText
        var received: DateText
        var reason: String?
    }

    /// - Parameter from: the page to go back to, as the request named it; anything but a path of the dashboard is
    ///   ignored.
    package init(
        details: SubscriptionDetails,
        members: [ListedSeat] = [],
        unknownSeats: [UnknownSeat] = [],
        actions: [PageAction] = [],
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (row, zone, strings) = (details.row, viewer.zone, viewer.strings)
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
        backText = BackText.name(of: backHref, otherwise: strings.subscriptionsTitle, strings)
        product = row.productName ?? details.storeProductID ?? strings.subscriptionsUnknown.description
        plan = row.planCode
        status = StatusText(subscription.state(at: now), strings)
        person = PersonText(row.customer, viewer)
        title = strings.subscriptionsPageTitle(
            name: person.name,
            product: product,
            status: status.within.description
        )
        place = StoreText.place(row.store, row.environment, strings)
        isSandbox = row.environment == .sandbox
        customerHref = DashboardPath.customer(row.customer.id, from: here)
        // The audit log keeps staff's actions on a subscription under its customer.
        let history = PageAction(
            label: strings.auditHistory.description,
            href: DashboardPath.history(of: "customer", row.customer.id.description)
        )
        let account = PageAction(
            label: strings.purchasesTokenAction.description,
            href: DashboardPath.accountToken(of: row.id)
        )
        self.actions =
            actions + (row.store.rules.setsAccountTokens && viewer.may(.changeAccess) ? [account] : [])
            + (viewer.may(.viewAudit) ? [history] : [])
        id = row.id.description
        originalID = row.originalTransactionID
        storeProduct = details.storeProductID
        func text(_ date: Date?) -> DateText? { date.map { DateText($0, in: zone, strings) } }
        started = DateText(row.startedAt, in: zone, strings)
        periodStarts = text(subscription.periodStartsAt)
        periodEnds = text(subscription.periodEndsAt)
        graceEnds = text(subscription.gracePeriodEndsAt)
        trialEnds = text(details.trialEndsAt)
        cancelled = text(subscription.cancelledAt)
        commitment = subscription.commitment.map { SubscriptionText.period(of: $0, strings) }
        committedUntil = text(subscription.commitment?.endsAt)
        committedPrice = subscription.commitment?.price.map { MoneyText($0, strings).withCurrency }
        commitmentCancelled = text(subscription.commitmentCancelledAt)
        let next = subscription.nextRenewal(at: now)
        renewsAt = text(next?.at)
        renewalOffer = next?.offer.map { OfferText.text($0, strings) }
        priceConsent = next?.priceConsent.map { SubscriptionText.name(of: $0, strings) }
        winBackOffers = subscription.nextRenewal.winBackOfferIDs
        ended = text(subscription.endedAt)
        following =
            EntitlementText([details.held], zone: zone, strings, now: now).following
            ?? strings.subscriptionsNothing.description
        isFamilyShared = details.isFamilyShared
        isAssigned = row.isAssigned
        seats = row.seats.map { SeatText.lines(of: $0, strings) } ?? []
        self.members = members.map { SeatRowText($0, ofMember: false, from: here, viewer, now: now) }
        showsMembers = row.seats?.invitations == .app || !members.isEmpty
        self.unknownSeats = unknownSeats.map { seat in
            UnknownSeatText(id: seat.storeClaimID, firstSeen: DateText(seat.firstSeenAt, in: zone, strings))
        }
        seatsHref = SeatFilter(shown: .claimed, group: row.id).path
        zoneLabel = zone.label
        orders = details.orders.map { Period($0, from: here, zone: zone, strings) }
        events = details.events.map { EventRow($0, from: here, zone: zone, strings) }
        isCut = details.orders.count >= OrderDetails.listLimit || details.events.count >= OrderDetails.listLimit
        notifications = details.notifications.map { NotificationRow($0, from: here, zone: zone, strings) }
    }
}

extension SubscriptionShowPage.Period {
    fileprivate init(_ order: OrderDetails.SubscriptionOrder, from: String, zone: BusinessZone, _ strings: Strings) {
        href = DashboardPath.order(order.number, from: from)
        number = order.number
        name = StoreText.name(of: order.kind, strings)
        starts = DateText.day(order.periodStartsAt, in: zone, strings)
        ends = order.periodEndsAt.map { DateText.day($0, in: zone, strings) } ?? strings.partsNoEnd.description
        status = StatusText(order.status, strings)
        money = MoneyText(order.amount, order.currency, strings)
    }
}

extension SubscriptionShowPage.EventRow {
    fileprivate init(_ event: SubscriptionDetails.Event, from: String, zone: BusinessZone, _ strings: Strings) {
        title = EventText.title(of: event.kind, strings)
        source = EventText.source(of: event.source, strings)
        href = event.notification.map { DashboardPath.notification($0, from: from) }
        isBad = EventText.isBad(event.kind) || event.rejectionReason != nil
        isChange = event.before != event.after
        before = StatusText(event.before, strings)
        after = StatusText(event.after, strings)
        rejectionReason = event.rejectionReason
        signed = DateText(event.signedAt, in: zone, strings)
        recorded = DateText(event.recordedAt, in: zone, strings)
    }
}

extension SubscriptionShowPage.NotificationRow {
    fileprivate init(_ notification: OrderDetails.Notification, from: String, zone: BusinessZone, _ strings: Strings) {
        href = DashboardPath.notification(notification.id, from: from)
        type = notification.type
        subtype = notification.subtype
        status = StatusText(notification.state, strings)
        received = DateText(notification.receivedAt, in: zone, strings)
        reason = notification.lastError ?? notification.rejectionReason
    }
}
