import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The result of extending all subscribers of a product, and those whom the store left out: `/dashboard/extensions/{id}`.
package struct ExtensionShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let target: String
    let backHref: String
    let isSandbox: Bool
    let status: StatusText
    let started: DateText
    let finished: DateText?
    let zoneLabel: String
    /// The number of subscriptions that were extended, or the store's reason to refuse; nil until it is done.
    let result: String?
    /// By which the store names it.
    let identifier: String
    let facts: [Fact]
    let range: String
    let caption: String
    let hasRows: Bool
    let rows: [Failure]
    let pages: PageLinks

    /// One thing that was asked of the store.
    struct Fact: Sendable {
        let name: StaticString
        let value: String
    }

    /// A subscription that was not extended.
    struct Failure: Sendable {
        let href: String
        let transaction: String
        let failed: DateText
    }

    package init(
        _ row: RenewalExtension,
        failures: ListPage<RenewalExtensionFailure>,
        filter: ExtensionFailureFilter,
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, zone) = (viewer.strings, viewer.zone)
        let own = filter.path(from: from)
        frame = DashboardFrame(viewer, section: .subscriptions, path: own, now: now)
        target = ExtensionText.target(of: row)
        backHref = from ?? DashboardPath.extensions
        let heading = ListHeading(
            failures,
            of: strings.extensionsTitle.description,
            filters: [target],
            none: strings.extensionsNoFailures,
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        isSandbox = row.environment == .sandbox
        status = ExtensionText.status(of: row.state, strings)
        started = DateText(row.startedAt, in: zone, strings)
        finished = row.state.finishedAt.map { DateText($0, in: zone, strings) }
        zoneLabel = zone.label
        result = ExtensionText.result(of: row, viewer, now: now)
        identifier = row.requestIdentifier
        facts = Self.facts(of: row.request, strings)
        caption = strings.extensionsFailuresCaption(zone: zone.label)
        hasRows = !failures.rows.isEmpty
        rows = failures.rows.map { failure in
            Failure(
                href: DashboardPath.subscription(failure.subscription, from: own),
                transaction: failure.originalTransactionID,
                failed: DateText(failure.failedAt, in: zone, strings)
            )
        }
        pages = PageLinks(failures, by: filter) { $0.path(from: from) }
    }

    private static func facts(of request: RenewalExtension.Request?, _ strings: Strings) -> [Fact] {
        guard let request else {
            return [Fact(name: strings.extensionsRequester, value: strings.extensionsElsewhere.description)]
        }
        return [
            Fact(name: strings.extensionsRequester, value: request.act.actor),
            Fact(name: strings.extensionsDaysShort, value: strings.refundsDays(count: request.days)),
            Fact(
                name: strings.extensionsReason,
                value: ExtensionText.name(of: request.reasonCode, strings).description
            ),
        ]
    }
}

extension ExtensionFailureFilter {
    package init(of id: RenewalExtension.ID, _ query: inout QueryReader) throws(InvalidCursor) {
        self.init(of: id, position: try query.position(of: .extensionFailed))
    }

    /// The address of this page of the list.
    package func path(from: String?) -> String {
        var query = QueryText()
        query.add(position)
        if let from { query.add("from", from) }
        return DashboardPath.extension(self.extension) + query.text
    }
}
