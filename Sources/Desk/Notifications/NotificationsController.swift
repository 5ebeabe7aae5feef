import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about what the stores sent.
package struct NotificationsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /dashboard/notifications`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(NotificationFilter.self)
        let (list, settings) = try await database.read { reader in
            async let settings = reader.ask(call.settings(of: .notifications, reader))
            let list = try await reader.screens.notifications(filter, app: call.app.id, counts: counts)
            return (list, try await settings)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            NotificationIndexPage(
                list: list,
                filter: filter,
                settings: settings,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/notifications/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let details = try await details(call)
        let from = DashboardPath.safe(call.query["from"])
        return .page(NotificationShowPage(details: details, from: from, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/notifications/{id}/replays/new`: asks before it is applied again.
    @Sendable package func newReplay(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let details = try await details(call)
        // Its page says where it stands.
        guard details.row.state.isReplayable else {
            return .seeOther(DashboardPath.notification(details.row.id, from: call.from))
        }
        let key = database.newUUID().uuidString.lowercased()
        return .page(
            ActionPage(replaying: details, key: key, from: call.from, viewer: call.viewer, now: database.now)
        )
    }

    /// `POST /dashboard/notifications/{id}/replays`
    @Sendable package func replay(_ call: StaffRequest) async throws -> Response {
        let details = try await details(call)
        let id = details.row.id
        guard let attempts = try call.form.single("attempts").flatMap({ Int($0) }) else {
            throw WebError(.invalid, "The form is not whole. Load the page again.", field: "attempts")
        }
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.replayNotification(
                id,
                of: call.app.id,
                attempts: attempts,
                reason: reason,
                key: try call.key(for: "\(attempts)", reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.notification(id, from: call.from))
        } catch let error as OperationsError where error.code == .invalid || error.code == .stale {
            let page = ActionPage(
                replaying: details,
                key: database.newUUID().uuidString.lowercased(),
                typed: call.form.typed,
                error: error,
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
            return .page(page, status: error.code == .stale ? .conflict : .unprocessableContent)
        }
    }

    private func details(_ call: StaffRequest) async throws -> NotificationDetails {
        let id = UUID(uuidString: try call.parameter("id"))
        let found = try await database.read { reader in
            guard let id else { return nil as NotificationDetails? }
            return try await reader.screens.notification(id: id, app: call.app.id)
        }
        guard var found else { throw WebError(.notFound, "There is no such notification.") }
        if !call.session.role.may(.viewNotificationPayloads) { found.signedPayload = "" }
        return found
    }
}
