import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The results of the search box on every page: `/dashboard/find`.
package struct SearchPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let query: String
    /// "3 customers, more than 5 orders"
    let summary: String
    let hint: StaticString?
    let groups: [Group]
    let hasFound: Bool
    let empty: EmptyState
    let csrfToken: String

    /// The results of one kind.
    struct Group: Sendable {
        var id: StaticString
        var title: StaticString
        var region: String
        var caption: String
        var rows: [Row]
        var more: [Target]
        /// Customers have none here.
        var hasStatus: Bool { rows.contains { $0.status != nil || $0.refundStatus != nil } }
    }

    struct Row: Sendable {
        var target: Target
        var isKey: Bool
        var detail: String
        var status: StatusText?
        var refundStatus: RefundStatusText?
        var moment: DateText?
    }

    /// A page to open; one of another app has that app opened first.
    struct Target: Sendable {
        var text: String
        var path: String
        /// nil for the app that is open.
        var other: ViewerApp?
    }

    /// - Parameter text: empty before anything was looked for.
    package init(results: SearchResults, text: String, viewer: Viewer, now: Date) {
        var path = QueryText()
        path.add("q", text)
        let here = DashboardPath.find + path.text
        frame = DashboardFrame(viewer, section: .none, path: here, search: text, now: now)
        query = text
        groups = Self.groups(results, text: text, from: here, viewer: viewer, now: now)
        hasFound = !groups.isEmpty
        let strings = viewer.strings
        title = text.isEmpty ? strings.findTitle.description : strings.findTitled(text: text)
        summary = text.isEmpty ? strings.findNothingYet.description : Self.summary(results, strings)
        hint = Self.hint(text, viewer)
        empty = Self.empty(text, viewer)
        csrfToken = viewer.csrfToken
    }

    private static func groups(
        _ results: SearchResults,
        text: String,
        from: String,
        viewer: Viewer,
        now: Date
    ) -> [Group] {
        let strings = viewer.strings
        func other(_ app: FindableApp) -> ViewerApp? {
            app.slug == viewer.app.slug ? nil : ViewerApp(slug: app.slug, name: app.name)
        }
        func group<Hit>(
            _ id: StaticString,
            _ title: StaticString,
            _ found: [SearchResults.AppGroup<Hit>],
            more: (all: StaticString, path: String)?,
            _ row: (Hit, ViewerApp?) -> Row
        ) -> Group? {
            guard !found.isEmpty else { return nil }
            return Group(
                id: id,
                title: title,
                region: strings.findRegion(kind: title.description),
                caption: strings.findCaption(kind: title.description),
                rows: found.flatMap { app in app.hits.map { row($0, other(app.app)) } },
                more: found.compactMap { app in
                    guard let more, app.hasMore else { return nil }
                    let all = more.all.description
                    let text = other(app.app).map { strings.findAllOf(all: all, app: $0.name) } ?? all
                    return Target(text: text, path: more.path, other: other(app.app))
                }
            )
        }
        return [
            group(
                "customers",
                strings.customersTitle,
                results.customers,
                more: (strings.findAllCustomers, CustomerFilter(search: text, environment: nil).path)
            ) { hit, app in Row(hit, app, from, viewer) },
            group(
                "orders",
                strings.ordersTitle,
                results.orders,
                more: (strings.findAllOrders, OrderFilter(search: text).path)
            ) { hit, app in Row(order: hit, app, from, viewer) },
            group("refunds", strings.refundsTitle, results.refunds, more: nil) { hit, app in
                Row(refund: hit, app, from, viewer, now)
            },
            group(
                "subscriptions",
                strings.subscriptionsTitle,
                results.subscriptions,
                more: (strings.findAllSubscriptions, SubscriptionFilter(search: text).path)
            ) { hit, app in Row(hit, app, from, viewer, now) },
            group("notifications", strings.notificationsTitle, results.notifications, more: nil) { hit, app in
                Row(hit, app, from, viewer)
            },
        ].compactMap { $0 }
    }

    private static func summary(_ results: SearchResults, _ strings: Strings) -> String {
        func count<Hit>(_ found: [SearchResults.AppGroup<Hit>], _ things: (Int) -> String) -> String? {
            let count = found.map(\.hits.count).reduce(0, +)
            guard count > 0 else { return nil }
            return found.contains { $0.hasMore } ? strings.findMoreThan(things: things(count)) : things(count)
        }
        let parts = [
            count(results.customers) { strings.findCustomers(count: $0) },
            count(results.orders) { strings.findOrders(count: $0) },
            count(results.refunds) { strings.findRefunds(count: $0) },
            count(results.subscriptions) { strings.findSubscriptions(count: $0) },
            count(results.notifications) { strings.findNotifications(count: $0) },
        ].compactMap { $0 }
        return parts.isEmpty ? strings.findFoundNothing.description : strings.findFound(list: strings.list(parts))
    }

    private static func hint(_ text: String, _ viewer: Viewer) -> StaticString? {
        guard !text.isEmpty else { return nil }
        guard viewer.seesPersonalData else { return viewer.strings.findHintIds }
        return text.count < 3 ? viewer.strings.findHintShort : nil
    }

    private static func empty(_ text: String, _ viewer: Viewer) -> EmptyState {
        let strings = viewer.strings
        let things = (viewer.seesPersonalData ? strings.findSearched : strings.findSearchedIds).description
        guard !text.isEmpty else {
            return EmptyState(
                headline: strings.findEmptyHeadline.description,
                text: strings.findEmptyText(things: things),
                linkText: strings.findEmptyLink.description,
                href: DashboardPath.orders
            )
        }
        let apps = viewer.apps.count > 1 ? strings.findAllApps.description : viewer.app.name
        return EmptyState(
            headline: strings.findNoMatchHeadline(text: text),
            text: strings.findNoMatchText(apps: apps, things: things),
            linkText: strings.findNoMatchLink.description,
            href: DashboardPath.customers
        )
    }
}

extension SearchPage.Row {
    fileprivate init(_ hit: SearchResults.CustomerHit, _ app: ViewerApp?, _ from: String, _ viewer: Viewer) {
        let person = PersonText(hit.customer, viewer)
        let path = DashboardPath.customer(hit.customer.id, from: app == nil ? from : nil)
        target = .init(text: person.name, path: path, other: app)
        isKey = person.isKey
        detail = [person.detail, hit.customer.externalID].compactMap { $0 }.joined(separator: " · ")
        moment = DateText(hit.createdAt, in: viewer.zone, viewer.strings)
    }

    fileprivate init(order hit: SearchResults.OrderHit, _ app: ViewerApp?, _ from: String, _ viewer: Viewer) {
        let row = OrderRow(hit, for: viewer, linkSuffix: "")
        target = .init(
            text: hit.number,
            path: DashboardPath.order(hit.number, from: app == nil ? from : nil),
            other: app
        )
        isKey = true
        detail = "\(row.customer) · \(hit.productName) · \(row.money.withCurrency)"
        status = row.status
        moment = row.created
    }

    fileprivate init(
        refund hit: SearchResults.RefundHit,
        _ app: ViewerApp?,
        _ from: String,
        _ viewer: Viewer,
        _ now: Date
    ) {
        let (request, text) = (hit.request, RefundText(viewer, now: now))
        target = .init(
            text: request.number,
            path: DashboardPath.refund(request.number, from: app == nil ? from : nil),
            other: app
        )
        isKey = true
        let customer = hit.customerName?.shown(to: viewer) ?? hit.customerKey
        detail = "\(customer) · \(hit.orderNumber) · \(text.amount(request.refund.requested))"
        refundStatus = text.status(of: request)
        moment = text.stamp(request.requested.at)
    }

    fileprivate init(
        _ hit: SearchResults.SubscriptionHit,
        _ app: ViewerApp?,
        _ from: String,
        _ viewer: Viewer,
        _ now: Date
    ) {
        let path = DashboardPath.subscription(hit.id, from: app == nil ? from : nil)
        target = .init(text: hit.originalTransactionID, path: path, other: app)
        isKey = true
        detail = [PersonText(hit.customer, viewer).name, hit.productName].compactMap { $0 }.joined(separator: " · ")
        status = StatusText(hit.subscription.state(at: now), viewer.strings)
        moment = DateText(hit.startedAt, in: viewer.zone, viewer.strings)
    }

    fileprivate init(_ hit: SearchResults.NotificationHit, _ app: ViewerApp?, _ from: String, _ viewer: Viewer) {
        let path = DashboardPath.notification(hit.id, from: app == nil ? from : nil)
        target = .init(text: hit.type, path: path, other: app)
        isKey = true
        detail = hit.subtype ?? ""
        status = StatusText(hit.state, viewer.strings)
        moment = DateText(hit.receivedAt, in: viewer.zone, viewer.strings)
    }
}
