package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// The rows of one queue that stand somewhere: `/dashboard/queues/{queue}`.
package struct QueueShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let name: StaticString
    let range: String
    /// "2 late"; nil for none.
    let late: String?
    let tabs: [FilterTab]
    let caption: String
    /// The heading of the lines' moments; nil where they have none.
    let momentHeading: StaticString?
    let showsMoment: Bool
    let hasLines: Bool
    let lines: [QueueLine]
    /// True if each line leads somewhere.
    let isList: Bool
    /// True if this person may have something tried again that is listed here.
    let showsRetry: Bool
    /// The address that tries all again; nil where none can be, or not by this person.
    let retryHref: String?
    /// True if somebody else may try them again.
    let isRetryForOthers: Bool
    let empty: EmptyState
    let pages: PageLinks

    package init(
        list: ListPage<QueueRow>,
        queues: [QueueStatus],
        view: QueueView,
        viewer: Viewer,
        now: Date
    ) {
        let (path, strings) = (view.path, viewer.strings)
        let status = queues.first { $0.name == view.queue }
        frame = DashboardFrame(viewer, section: .queues, path: path, now: now)
        name = QueueText.name(of: view.queue, strings)
        var list = list
        list.total = .exact(status?.count(in: view.state) ?? 0)
        let heading = ListHeading(
            list,
            of: name.description,
            filters: [QueueText.within(view.state, strings).description],
            none: QueueText.none(in: view.state, strings),
            order: strings.partsNewestFirst,
            strings
        )
        (title, range) = (heading.title, heading.range)
        late = status.flatMap { $0.late > 0 ? strings.queuesLate(count: $0.late) : nil }
        backHref = DashboardPath.queues
        tabs = QueueState.allCases.map { state in
            FilterTab(
                label: "\(QueueText.name(of: state, strings)) \(strings.number(status?.count(in: state) ?? 0))",
                href: QueueView(view.queue, state: state).path,
                isCurrent: state == view.state
            )
        }
        caption = strings.queuesJobsCaption(zone: viewer.zone.label)
        momentHeading = QueueText.moment(in: view.state, strings)
        showsMoment = momentHeading != nil
        hasLines = !list.rows.isEmpty
        lines = list.rows.map { QueueLine($0, in: view.queue, from: path, viewer) }
        isList = lines.allSatisfy { $0.href != nil }
        let mayRetry = viewer.may(.replayNotifications)
        let isRetryable = view.state == .discarded && list.canBeTried
        showsRetry = isRetryable && mayRetry
        retryHref = showsRetry ? DashboardPath.newRetry(in: view.queue, from: path) : nil
        isRetryForOthers = isRetryable && !mayRetry
        empty = EmptyState(
            headline: QueueText.none(in: view.state, strings).description,
            text: strings.queuesNoneText.description,
            linkText: strings.queuesNoneLink.description,
            href: DashboardPath.queues
        )
        pages = PageLinks(list, by: view, path: \.path)
    }
}
