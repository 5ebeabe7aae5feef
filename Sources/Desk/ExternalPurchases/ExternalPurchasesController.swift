import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about purchases outside of a store.
package struct ExternalPurchasesController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/external-purchases`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(ExternalPurchaseFilter.self)
        let list = try await database.read { try await $0.screens.externalPurchases(of: call.app.id, filter) }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(ExternalPurchaseIndexPage(list: list, filter: filter, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/external-purchases/{id}/reports/new`: asks before it is noted as reported.
    @Sendable package func newReport(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let token = try await token(call)
        guard token.isDue else { return .seeOther(DashboardPath.externalPurchases) }
        return .page(
            ActionPage(
                reporting: token,
                key: database.newUUID().uuidString.lowercased(),
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `POST /dashboard/external-purchases/{id}/reports`
    @Sendable package func report(_ call: StaffRequest) async throws -> Response {
        let token = try await token(call)
        guard let told = try call.form.single("told").flatMap({ Int64($0) }) else {
            throw WebError(.invalid, "The form is not whole. Load the page again.", field: "told")
        }
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.reportExternalPurchase(
                token.id,
                of: call.app.id,
                toldAt: Date(timeIntervalSince1970: Double(told) / 1_000),
                reason: reason,
                key: try call.key(for: token.id.description, "\(told)", reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: call.from ?? DashboardPath.externalPurchases)
        } catch let error as OperationsError where [.invalid, .stale, .conflict].contains(error.code) {
            let page = ActionPage(
                reporting: token,
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

    private func token(_ call: StaffRequest) async throws -> ExternalPurchaseToken {
        let id = ExternalPurchaseToken.ID(try call.parameter("id"))
        let found = try await database.readPrimary { reader in
            guard let id else { return nil as ExternalPurchaseToken? }
            return try await reader.screens.externalPurchase(id, of: call.app.id)
        }
        guard let found else { throw WebError(.notFound, "There is no such external purchase.") }
        return found
    }
}
