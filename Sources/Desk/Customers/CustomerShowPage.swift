import Billing
package import Foundation
package import HTTP
package import Operations
package import Storage
package import Words

/// One customer: `/dashboard/customers/{id}`.
package struct CustomerShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let backText: StaticString
    let name: String
    let isKey: Bool
    let email: String?
    let id: String
    let key: String
    let externalID: String?
    let firstSeen: DateText
    /// When their app called last; nil for whose app has never called.
    let lastSeen: DateText?
    /// "iOS · 2.3.1 · zh-Hans-CN"
    let client: String?
    let isPersonalDataHidden: Bool
    let identities: [IdentityText]
    /// When the customer had their account deleted; nil for everybody else.
    let deleted: DateText?
    let isDeleted: Bool
    /// The actions that may be taken on this customer; each leads to its own page.
    let actions: [PageAction]
    /// The page to go back to, which what is done here keeps.
    let from: String?
    /// The sentence that says who can do what this person may not.
    let whoCan: String?
    let card: EntitlementCard
    let subscriptions: [HeldText]
    let subscriptionsHref: String
    let orders: [OrderRow]
    let ordersHref: String
    let hasMoreOrders: Bool
    let signals: [String]
    /// That a parent's withdrawn consent blocks the use of the app, and since when; nil where none does.
    let consentRescinded: DateText?
    let hasRescindedConsent: Bool
    let tabs: [FilterTab]
    let moments: [TimelineText]
    /// The seats that the customer has or had of others' groups.
    let memberships: [SeatRowText]
    let isMember: Bool
    let zoneLabel: String
    let pages: PageLinks
    let notes: [NoteText]
    let mayWriteNotes: Bool
    let notesAction: String
    let newNoteID: String
    let csrfToken: String
    /// Renewals that staff had stores put off.
    let extensions: [ActionPage.Fact]
    let extensionsHref: String
    let meters: [UsageMeterText]
    /// The actions that may be taken on limits; each leads to its own page.
    let usageActions: [PageAction]
    let hasUsageActions: Bool
    let consent: [ActionPage.Fact]
    /// nil for those who may not record it.
    let consentHref: String?
    /// Since when they are a tester; nil for everybody else.
    let tester: DateText?
    let isTester: Bool
    /// The address at which that is changed; nil for those who may not.
    let testerHref: String?

    struct HeldText: Sendable {
        var href: String
        var product: String
        /// "8 seats, 5 used", "3 of 8 refunded", "renews with 5 seats"; of who only has one that they are a member.
        var seats: [String]
        var plan: String
        var status: StatusText
        /// "renews 15 Dec 2026"
        var ending: String
        /// The month of a commitment, the next offer, a price that waits for the customer.
        var notes: [String]
        var place: String
        var originalID: String
        /// Where its renewal is put off; nil where it cannot be, or not by this person.
        var extendHref: String?
    }

    /// A provider that the customer signs in with; the provider's own name for them is nobody's business here.
    struct IdentityText: Sendable {
        var provider: String
        var linked: DateText
        var lastSignIn: DateText
    }

    struct NoteText: Sendable {
        var text: String
        var author: String
        var written: DateText
        /// For one's own note: the page that asks whether to withdraw it.
        var withdrawHref: String?
    }

    /// - Parameters:
    ///   - meters: nil where nothing is counted.
    ///   - from: the list to go back to, as the request named it; anything but a path of the dashboard is ignored.
    ///   - newNoteID: the key that a note written on this page will have, so that sending it twice writes it once.
    package init(
        details: CustomerDetails,
        meters: CustomerMeters? = nil,
        memberships: [ListedSeat] = [],
        timeline: ListPage<Timeline.Moment>,
        filter: Timeline.Filter,
        actions: [PageAction] = [],
        from: String?,
        newNoteID: UUID,
        staff: Staff.ID,
        viewer: Viewer,
        now: Date
    ) {
        let (customer, zone, strings) = (details.customer, viewer.zone, viewer.strings)
        let person = PersonText(customer, viewer)
        let back = DashboardPath.safe(from)
        let own = filter.path(of: customer.id, from: back)
        let here = DashboardPath.customer(customer.id)
        frame = DashboardFrame(viewer, section: .customers, path: own, now: now)
        (name, isKey) = (person.name, person.isKey)
        card = EntitlementCard(
            details.subscriptions,
            held: details.entitlementSources,
            standing: details.standing(at: now),
            loss: details.loss,
            from: here,
            zone: zone,
            strings,
            now: now
        )
        title = strings.customersPageTitle(
            name: person.name,
            plan: card.plan ?? strings.customersNoAccessTitle.description
        )
        backHref = back ?? DashboardPath.customers
        self.from = back
        backText = BackText.name(of: backHref, otherwise: strings.customersTitle, strings)
        email = customer.email?.shown(to: viewer)
        id = customer.id.description
        key = customer.key
        externalID = customer.externalID
        firstSeen = DateText(details.createdAt, in: zone, strings)
        lastSeen = details.activity.map { DateText($0.lastSeenAt, in: zone, strings) }
        client = details.activity?.client
        isPersonalDataHidden = !viewer.seesPersonalData
        identities = details.identities.map { identity in
            IdentityText(
                provider: AuthProviderText.name(of: identity.provider, strings).description,
                linked: DateText(identity.linkedAt, in: zone, strings),
                lastSignIn: DateText(identity.lastSignInAt, in: zone, strings)
            )
        }
        deleted = details.deletedAt.map { DateText($0, in: zone, strings) }
        isDeleted = deleted != nil
        let history = PageAction(
            label: strings.auditHistory.description,
            href: DashboardPath.history(of: "customer", customer.id.description)
        )
        let sessions = PageAction(
            label: strings.customersSessions.description,
            href: here + "/sessions" + DashboardPath.suffix(from: back)
        )
        self.actions =
            actions + (viewer.may(.endCustomerSessions) ? [sessions] : []) + (viewer.may(.viewAudit) ? [history] : [])
        whoCan = viewer.role.may(.changeAccess) ? nil : String(viewer.strings.accessWhoCan)
        subscriptions = details.subscriptions.map { HeldText($0, from: here, for: viewer, now: now) }
        subscriptionsHref = SubscriptionFilter(customer: customer.id).path
        let suffix = DashboardPath.suffix(from: here)
        orders = details.orders.map { OrderRow($0, for: viewer, linkSuffix: suffix) }
        ordersHref = OrderFilter(customer: customer.id).path
        hasMoreOrders = details.hasMoreOrders
        consentRescinded = details.consentRescindedAt.map { DateText($0, in: zone, strings) }
        hasRescindedConsent = consentRescinded != nil
        signals = details.fraud.signals.map { FraudSignalText.sentence($0, strings) }
        tabs = Timeline.Part.allCases.map { part in
            FilterTab(
                label: Self.name(of: part, strings).description,
                href: Timeline.Filter(part: part).path(of: customer.id, from: back),
                isCurrent: part == filter.part
            )
        }
        moments = timeline.rows.map { TimelineText($0, back: here, viewer: viewer) }
        self.memberships = memberships.map { SeatRowText($0, ofMember: true, from: here, viewer, now: now) }
        isMember = !memberships.isEmpty
        zoneLabel = zone.label
        pages = PageLinks(timeline, by: filter) { $0.path(of: customer.id, from: back) }
        mayWriteNotes = viewer.role.may(.writeNotes)
        notesAction = here + "/notes"
        self.newNoteID = newNoteID.uuidString.lowercased()
        notes = details.notes.compactMap { note in
            guard let text = note.text.shown(to: viewer) else { return nil }
            return NoteText(
                text: text,
                author: note.author,
                written: DateText(note.createdAt, in: zone, strings),
                withdrawHref: note.staff == staff
                    ? "\(here)/notes/\(note.id)/withdraw\(DashboardPath.suffix(from: back))" : nil
            )
        }
        csrfToken = viewer.csrfToken
        extensions = ExtensionText.facts(details.extensions, viewer, now: now)
        extensionsHref = DashboardPath.extensions
        let features = meters?.features ?? []
        self.meters = meters.map { all in features.compactMap { UsageMeterText($0, of: all, viewer) } } ?? []
        usageActions = UsageAction.allCases.filter { action in
            viewer.role.may(.giveAccess) && features.contains { $0.windows.contains { action.fits($0, for: viewer) } }
        }.map { action in
            PageAction(
                label: UsageActionText.button(of: action, strings).description,
                href: action.path(of: customer.id) + "/new" + DashboardPath.suffix(from: back)
            )
        }
        hasUsageActions = !usageActions.isEmpty
        consent = ConsentText.facts(details.consent, viewer)
        tester = details.testerSince.map { DateText($0, in: zone, strings) }
        isTester = tester != nil
        testerHref = viewer.role.may(.changeAccess) ? here + "/tester" + DashboardPath.suffix(from: back) : nil
        consentHref = viewer.role.may(.recordConsent) ? here + "/consent" + DashboardPath.suffix(from: back) : nil
    }

    private static func name(of part: Timeline.Part, _ strings: Strings) -> StaticString {
        switch part {
        case .all: strings.partsAll
        case .money: strings.timelineMoney
        case .access: strings.timelineAccess
        case .staff: strings.timelineStaff
        }
    }
}

extension CustomerShowPage.HeldText {
    fileprivate init(_ held: CustomerDetails.Held, from: String, for viewer: Viewer, now: Date) {
        let (zone, strings) = (viewer.zone, viewer.strings)
        let subscription = held.held.subscription
        href = DashboardPath.subscription(held.held.id, from: from)
        product = held.productName
        seats =
            held.isAssigned
            ? [strings.subscriptionsMember.description] : held.seats.map { SeatText.lines(of: $0, strings) } ?? []
        plan = held.held.plan.code
        status = StatusText(subscription.state(at: now), strings)
        ending = SubscriptionText.endingWithDay(of: subscription, zone: zone, strings, now: now)
        notes = SubscriptionText.notes(on: subscription, strings, now: now)
        place = StoreText.place(held.store, held.environment, strings)
        originalID = held.originalTransactionID
        let isExtensible =
            held.store.rules.extendsRenewals && !held.isAssigned && subscription.state(at: now) == .active
        extendHref = isExtensible && viewer.may(.giveAccess) ? DashboardPath.newExtension(of: held.held.id) : nil
    }
}

extension CustomerActivity {
    /// The app's platform, version and locale; nil where it said nothing.
    fileprivate var client: String? {
        let parts = [platform?.name, appVersion, locale].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}

extension CustomerActivity.Platform {
    /// The makers' own spelling, in every language.
    fileprivate var name: String {
        switch self {
        case .ios: "iOS"
        case .macos: "macOS"
        case .android: "Android"
        case .web: "Web"
        }
    }
}
