import Foundation
import Hummingbird
import Operations
import Storage

/// The pages about what the stores sent.
struct NotificationsController: Sendable {
    let database: Database
    let counts: CappedCounts

    /// `GET /dashboard/notifications`
    @Sendable func index(_ call: StaffCall) async throws -> Response {
        let filter = try call.reading { () throws(InvalidCursor) in try NotificationFilter(query: call.query.pairs) }
        let list = try await database.read {
            try await $0.screens.notifications(filter, app: call.app.id, counts: counts)
        }
        if list.startsOver { return .seeOther(filter.firstPage.path) }
        return .page(NotificationIndexPage(list: list, filter: filter, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/notifications/{id}`
    @Sendable func show(_ call: StaffCall) async throws -> Response {
        let details = try await details(try call.parameter("id"), call)
        guard let details else { throw WebError(.notFound, "There is no such notification.") }
        let from = DashboardPath.safe(call.query["from"])
        return .page(NotificationShowPage(details: details, from: from, viewer: call.viewer, now: database.now))
    }

    private func details(_ text: String, _ call: StaffCall) async throws -> NotificationDetails? {
        guard let id = UUID(uuidString: text) else { return nil }
        var details = try await database.read { try await $0.screens.notification(id: id, app: call.app.id) }
        if !call.session.role.may(.viewNotificationPayloads) { details?.signedPayload = "" }
        return details
    }
}
