package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// The state of all background work, and its failures: `/dashboard/queues`.
package struct QueueIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let caption: String
    let jobsCaption: String
    /// The states, in the order of each row's counts.
    let headings: [StaticString]
    let rows: [Row]
    let failures: [Failures]
    let hasFailures: Bool
    let empty: EmptyState
    /// True if this person may have something tried again.
    let showsRetry: Bool
    /// Another person may.
    let isRetryForOthers: Bool

    /// The states that people may have to act on come first: a phone has no room for more.
    fileprivate static let states: [QueueState] = [.discarded, .retryable, .available, .running, .scheduled]

    /// A queue.
    struct Row: Sendable {
        let name: StaticString
        let href: String
        let counts: [Count]
        /// "2 late"; nil for none.
        let late: String?
        /// nil when nothing waits.
        let oldest: Oldest?
    }

    /// The number of a queue's rows in one state.
    struct Count: Sendable {
        let number: String
        let state: StaticString
        /// nil for none.
        let href: String?
    }

    /// The row that has waited longest.
    struct Oldest: Sendable {
        let since: DateText
        /// "2 min 5 s"
        let age: String
    }

    /// The newest dead letters of a queue.
    struct Failures: Sendable {
        let id: String
        let heading: StaticString
        let region: String
        let count: String
        let lines: [QueueLine]
        /// True if each line leads somewhere.
        let isList: Bool
        /// The address that tries all again; nil where none can be, or not by this person.
        let retryHref: String?
        /// nil where these are all.
        let moreHref: String?
    }

    /// - Parameter failed: the first page of the dead letters of each queue that has some.
    package init(
        queues: [QueueStatus],
        failed: [QueueName: ListPage<QueueRow>],
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .queues, path: DashboardPath.queues, now: now)
        caption = strings.queuesCaption(zone: viewer.zone.label)
        jobsCaption = strings.queuesJobsCaption(zone: viewer.zone.label)
        headings = Self.states.map { QueueText.name(of: $0, strings) }
        rows = queues.map { Row($0, viewer, now: now) }
        failures = queues.compactMap { status -> Failures? in
            guard let page = failed[status.name], !page.rows.isEmpty else { return nil }
            return Failures(status, page, viewer)
        }
        hasFailures = !failures.isEmpty
        empty = EmptyState(
            headline: strings.queuesNoneDiscarded.description,
            text: strings.queuesNoneFailedText.description,
            linkText: strings.queuesNoneFailedLink.description,
            href: DashboardPath.notifications
        )
        let mayRetry = viewer.may(.replayNotifications)
        showsRetry = mayRetry
        isRetryForOthers = hasFailures && !mayRetry
    }
}

extension QueueIndexPage.Row {
    fileprivate init(_ status: QueueStatus, _ viewer: Viewer, now: Date) {
        let strings = viewer.strings
        name = QueueText.name(of: status.name, strings)
        href = QueueView(status.name).path
        counts = QueueIndexPage.states.map { state in
            let count = status.count(in: state)
            return QueueIndexPage.Count(
                number: strings.number(count),
                state: QueueText.within(state, strings),
                href: count > 0 ? QueueView(status.name, state: state).path : nil
            )
        }
        late = status.late > 0 ? strings.queuesLate(count: status.late) : nil
        oldest = status.oldestDueAt.map { moment in
            QueueIndexPage.Oldest(
                since: DateText(moment, in: viewer.zone, strings, showsSeconds: true),
                age: DateText.duration(from: moment, to: now, strings)
            )
        }
    }
}

extension QueueIndexPage.Failures {
    fileprivate init(_ status: QueueStatus, _ page: ListPage<QueueRow>, _ viewer: Viewer) {
        let (queue, strings) = (status.name, viewer.strings)
        id = "failed-\(queue.rawValue)"
        heading = QueueText.failed(in: queue, strings)
        region = strings.chartsTableRegion(title: heading.description)
        count = strings.number(status.count(in: .discarded))
        lines = page.rows.map { QueueLine($0, in: queue, from: DashboardPath.queues, viewer) }
        isList = lines.allSatisfy { $0.href != nil }
        let isOffered = page.canBeTried && viewer.may(.replayNotifications)
        retryHref = isOffered ? DashboardPath.newRetry(in: queue) : nil
        moreHref = page.hasNext ? QueueView(queue).path : nil
    }
}
