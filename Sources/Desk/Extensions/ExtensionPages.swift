package import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// Renewals that a store was asked to put off, and those of which its summary alone tells: `/dashboard/extensions`.
package struct ExtensionIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    package let title: String
    package let range: String
    package let caption: String
    /// nil for those who may not extend many.
    package let newHref: String?
    package let hasRows: Bool
    package let rows: [Row]
    let empty: EmptyState
    let pages: PageLinks

    package struct Row: Sendable {
        package let requested: DateText
        /// A subscription's page, or that of the extension of a product.
        package let href: String
        package let target: String
        package let place: String
        package let isSandbox: Bool
        package let days: String?
        package let why: StaticString?
        package let requester: String
        package let status: StatusText
        package let result: String?
    }

    package init(list: ListPage<RenewalExtension>, filter: ExtensionFilter, viewer: Viewer, now: Date) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .subscriptions, path: filter.path, now: now)
        let heading = ListHeading(
            list,
            of: strings.extensionsTitle.description,
            filters: [],
            none: strings.extensionsNone,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        caption = strings.extensionsCaption(zone: viewer.zone.label)
        newHref = viewer.may(.runBulkJobs) ? DashboardPath.newExtension : nil
        hasRows = !list.rows.isEmpty
        rows = list.rows.map { Row($0, from: filter.path, viewer, now: now) }
        empty = EmptyState(
            headline: strings.extensionsNone.description,
            text: strings.extensionsNoneText.description,
            linkText: strings.extensionsNoneLink.description,
            href: DashboardPath.subscriptions
        )
        pages = PageLinks(list, by: filter, path: \.path)
    }
}

extension ExtensionIndexPage.Row {
    fileprivate init(_ row: RenewalExtension, from: String, _ viewer: Viewer, now: Date) {
        let strings = viewer.strings
        requested = DateText(row.startedAt, in: viewer.zone, strings)
        target = ExtensionText.target(of: row)
        switch row.target {
        case .subscription(let id, _): href = DashboardPath.subscription(id, from: from)
        case .product: href = DashboardPath.extension(row.id, from: from)
        }
        place = StoreText.name(of: row.store, strings)
        isSandbox = row.environment == .sandbox
        days = row.request.map { strings.refundsDays(count: $0.days) }
        why = row.request.map { ExtensionText.name(of: $0.reasonCode, strings) }
        requester = row.request?.act.actor ?? strings.extensionsElsewhere.description
        status = ExtensionText.status(of: row.state, strings)
        result = ExtensionText.result(of: row, viewer, now: now)
    }
}

/// Extensions of renewals in words.
package enum ExtensionText {
    /// The store's own name of what it extends: "2000000123456789", "com.example.pro (CHN USA)".
    package static func target(of row: RenewalExtension) -> String {
        switch row.target {
        case .subscription(_, let original): original
        case .product(let product, let storefronts):
            storefronts.map { "\(product) (\($0.joined(separator: " ")))" } ?? product
        }
    }

    package static func name(of reason: ExtensionReason, _ strings: Strings) -> StaticString {
        switch reason {
        case .undeclared: strings.extensionsReasonUndeclared
        case .customerSatisfaction: strings.extensionsReasonSatisfaction
        case .other: strings.extensionsReasonOther
        case .outage: strings.extensionsReasonOutage
        }
    }

    package static func status(of state: RenewalExtension.State, _ strings: Strings) -> StatusText {
        switch state {
        case .sending: StatusText(strings.extensionsSending, strings.extensionsSending, "pending")
        case .running: StatusText(strings.extensionsRunning, strings.extensionsRunning, "pending")
        case .succeeded: StatusText(strings.extensionsSucceeded, strings.extensionsSucceeded, "completed")
        case .refused: StatusText(strings.extensionsRefused, strings.extensionsRefused, "failed")
        }
    }

    /// "renews 20 Dec 2026 10:00 UTC+8", "1,204 extended, 3 not", why the store refused; until it is done nil, or what has come in place
    /// of the store's answer for more than an hour.
    package static func result(of row: RenewalExtension, _ viewer: Viewer, now: Date) -> String? {
        let strings = viewer.strings
        switch row.state {
        case .sending, .running:
            guard let unanswered = row.unanswered, unanswered.isLong(at: now) else { return nil }
            return strings.extensionsUnanswered(
                when: DateText.full(unanswered.since, in: viewer.zone, strings),
                words: unanswered.words
            )
        case .succeeded(_, let result):
            if let renewsAt = result.renewsAt {
                return strings.extensionsRenews(when: DateText.full(renewsAt, in: viewer.zone, strings))
            }
            guard let succeeded = result.succeeded else { return nil }
            return strings.extensionsCounts(
                failed: strings.number(Int(clamping: result.failed ?? 0)),
                succeeded: strings.number(Int(clamping: succeeded))
            )
        case .refused(_, let code, let message): return refusal(code, strings)?.description ?? message
        }
    }

    /// In clear words what Apple says by number.
    private static func refusal(_ code: Int64?, _ strings: Strings) -> StaticString? {
        switch code {
        case 4_030_004: strings.extensionsRefusedIneligible
        case 4_030_005: strings.extensionsRefusedTooMany
        case 4_030_007: strings.extensionsRefusedFamily
        case 4_030_028: strings.extensionsRefusedAssigned
        case 4_040_005, 4_040_010: strings.extensionsRefusedUnknown
        default: nil
        }
    }

    /// The newest of a customer, a line each.
    static func facts(_ rows: [RenewalExtension], _ viewer: Viewer, now: Date) -> [ActionPage.Fact] {
        let strings = viewer.strings
        return rows.map { row in
            let state = status(of: row.state, strings).word.description
            return ActionPage.Fact(
                name: DateText.full(row.startedAt, in: viewer.zone, strings),
                value: [
                    row.request.map { strings.refundsDays(count: $0.days) }, state, result(of: row, viewer, now: now),
                ]
                .compactMap { $0 }.joined(separator: " · ")
            )
        }
    }
}

extension ExtensionFilter {
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(position: try query.position(of: .extensionStarted))
    }

    /// The address of this page of the list.
    package var path: String {
        var query = QueryText()
        query.add(position)
        return DashboardPath.extensions + query.text
    }
}

extension DashboardPath {
    package static let extensions = "/dashboard/extensions"
    package static let newExtension = "/dashboard/extensions/new"

    package static func `extension`(_ id: RenewalExtension.ID, from: String? = nil) -> String {
        "\(extensions)/\(id)\(suffix(from: from))"
    }

    /// Returns the address of the form that postpones a subscription's renewal.
    package static func newExtension(of subscription: Subscription.ID) -> String {
        "\(self.subscription(subscription))/extension"
    }
}

extension ActionPage {
    /// Asks how long a subscription's renewal is put off at its store: `/dashboard/subscriptions/{id}/extension`.
    init(
        extensionOf details: SubscriptionDetails,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (row, strings) = (details.row, viewer.strings)
        let back = DashboardPath.customer(row.customer.id, from: from)
        let action = DashboardPath.newExtension(of: row.id)
        let store = StoreText.name(of: row.store, strings)
        let renews = row.subscription.periodEndsAt.map { date in
            Fact(
                name: strings.extensionsRenewsNow.description,
                value: DateText.full(date, in: viewer.zone, strings),
                at: DateText(date, in: viewer.zone, strings)
            )
        }
        self.init(
            frame: DashboardFrame(viewer, section: .customers, path: action, now: now),
            title: strings.extensionsAskOne(store: store),
            subtitle: [row.productName, row.originalTransactionID].compactMap { $0 }.joined(separator: " · "),
            back: Link(text: strings.partsCustomer.description, href: back),
            facts: renews.map { [$0] } ?? [],
            factsTitle: strings.extensionsTitle.description,
            paragraphs: [strings.extensionsRules.description],
            fields: Self.extensionFields(typed, problems, strings)
                + FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings),
            hidden: [.newKey(key)],
            method: .post,
            action: action,
            submit: strings.extensionsSubmitOne(store: store),
            keep: Link(text: strings.accessKeep.description, href: back),
            from: from
        )
    }

    /// Asks how long the renewals of all subscribers to a product are put off: `/dashboard/extensions/new`.
    init(
        newExtensionOf products: [(id: String, name: String)],
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        self.init(
            frame: DashboardFrame(viewer, section: .subscriptions, path: DashboardPath.newExtension, now: now),
            title: strings.extensionsAskMany.description,
            back: Link(text: strings.extensionsTitle.description, href: DashboardPath.extensions),
            paragraphs: [strings.extensionsRulesMany.description, strings.extensionsRules.description],
            fields: [
                FormField(
                    "product",
                    strings.extensionsProduct.description,
                    value: typed["product"],
                    .select(products.map { FormField.Option(value: $0.id, label: $0.name) }),
                    problem: problems["product"]
                ),
                FormField(
                    "environment",
                    strings.subscriptionsEnvironment.description,
                    value: typed["environment"] ?? StoreEnvironment.production.rawValue,
                    .select(
                        StoreEnvironment.allCases.map {
                            FormField.Option(
                                value: $0.rawValue,
                                label: StoreText.name(of: $0, strings).description
                            )
                        }
                    ),
                    problem: problems["environment"]
                ),
                FormField(
                    "storefronts",
                    strings.extensionsStorefronts.description,
                    value: typed["storefronts"],
                    hint: strings.extensionsStorefrontsHint.description,
                    problem: problems["storefronts"]
                ),
            ] + Self.extensionFields(typed, problems, strings)
                + FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings),
            hidden: [.newKey(key)],
            method: .post,
            action: DashboardPath.extensions,
            submit: strings.extensionsSubmitMany.description,
            keep: Link(text: strings.accessKeep.description, href: DashboardPath.extensions),
            isDangerous: true
        )
    }

    private static func extensionFields(
        _ typed: TypedFields,
        _ problems: [String: String],
        _ strings: Strings
    ) -> [FormField] {
        [
            FormField(
                "days",
                strings.extensionsDays.description,
                value: typed["days"],
                hint: strings.extensionsDaysHint.description,
                .number,
                problem: problems["days"]
            ),
            FormField(
                "reasonCode",
                strings.extensionsReason.description,
                value: typed["reasonCode"],
                .radios(
                    ExtensionReason.allCases.map {
                        FormField.Option(value: $0.name, label: ExtensionText.name(of: $0, strings).description)
                    }
                ),
                problem: problems["reasonCode"]
            ),
        ]
    }
}
