import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about payments at stores that wait for people.
package struct CheckoutsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/checkouts`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(WaitingCheckoutFilter.self)
        let list = try await database.read { try await $0.screens.waitingCheckouts(of: call.app.id, filter) }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(WaitingCheckoutIndexPage(list: list, filter: filter, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/checkouts/{id}/closing/new`: asks before one is marked as seen to.
    @Sendable package func newClosing(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let found = try await waiting(call)
        guard found.isWaiting else { return .seeOther(DashboardPath.checkouts) }
        return .page(
            ActionPage(
                closing: found,
                key: database.newUUID().uuidString.lowercased(),
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `POST /dashboard/checkouts/{id}/closing`
    @Sendable package func close(_ call: StaffRequest) async throws -> Response {
        let found = try await waiting(call)
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.closeCheckoutProblem(
                of: found.id,
                app: call.app.id,
                reason: reason,
                key: try call.key(for: found.id.description, reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: call.from ?? DashboardPath.checkouts)
        } catch let error as OperationsError where [.invalid, .conflict].contains(error.code) {
            let page = ActionPage(
                closing: found,
                key: database.newUUID().uuidString.lowercased(),
                typed: call.form.typed,
                error: error,
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
            return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
        }
    }

    private func waiting(_ call: StaffRequest) async throws -> WaitingCheckout {
        let id = Checkout.ID(try call.parameter("id"))
        let found = try await database.readPrimary { reader in
            guard let id else { return nil as WaitingCheckout? }
            return try await reader.screens.waitingCheckout(id, of: call.app.id)
        }
        guard let found else { throw WebError(.notFound, "There is no such payment.") }
        return found
    }
}
