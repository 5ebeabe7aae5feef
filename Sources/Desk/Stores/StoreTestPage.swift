package import Billing
package import Foundation
package import HTTP
package import Operations
package import Storage
package import Words

/// The result of a test notification: `/dashboard/stores/{store}/tests/{environment}`.
package struct StoreTestPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let isSandbox: Bool
    /// nil where none was ever asked for.
    let requested: DateText?
    let status: StatusText?
    let meaning: StaticString
    /// In the store's own words.
    let reason: String?
    /// The reason why the store could not be asked about it just now.
    let problem: String?
    /// True if the page loads itself again.
    let isWaiting: Bool
    let zoneLabel: String

    package init(
        _ test: TestNotification?,
        problem: String?,
        of connection: StoreConnection,
        in environment: StoreEnvironment,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let path = DashboardPath.test(of: connection.store, in: environment)
        frame = DashboardFrame(viewer, section: .stores, path: path, now: now)
        title = strings.connectionsTestOf(store: StoreText.name(of: connection.store, strings))
        backHref = DashboardPath.stores
        isSandbox = environment == .sandbox
        requested = test.map { DateText($0.requestedAt, in: viewer.zone, strings, showsSeconds: true) }
        status = test.map { StoreConnectionText.status(of: $0.result, strings) }
        let isPending = test?.result == .pending
        isWaiting =
            isPending && problem == nil && test.map { now.timeIntervalSince($0.requestedAt) < Self.patience } ?? false
        meaning =
            if let test {
                isPending && !isWaiting
                    ? strings.connectionsTestLate : StoreConnectionText.meaning(of: test.result, strings)
            } else {
                strings.connectionsTestNone
            }
        reason = test?.reason
        self.problem = problem
        zoneLabel = viewer.zone.label
    }

    /// Seconds for which a page waits; it can be loaded again after that.
    private static let patience: TimeInterval = 120
}
