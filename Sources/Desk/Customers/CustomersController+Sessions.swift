import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

extension CustomersController {
    /// `GET /dashboard/customers/{id}/sessions`
    @Sendable package func sessions(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        return .page(try await sessionsPage(try customer(call), call))
    }

    /// `POST /dashboard/customers/{id}/sessions`: `session`, which is `all` or one's id, and why.
    @Sendable package func endSessions(_ call: StaffRequest) async throws -> Response {
        let id = try customer(call)
        do {
            var problems = FieldProblems()
            let chosen = try problems.read { try CustomerSessionChoice(call.form) }
            let reason = try problems.read { try call.reason() }
            guard let chosen, let reason else { throw problems.error }
            let outcome = try await backOffice.endCustomerSessions(
                chosen.session,
                of: id,
                app: call.app.id,
                reason: reason,
                key: try call.key(
                    for: "\(id)\n\(chosen.session?.description ?? CustomerSessionChoice.all)\n\(reason.forAudit)"
                ),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.customer(id, from: call.from))
        } catch let error as OperationsError where error.code == .invalid || error.code == .notFound {
            let page = try await sessionsPage(id, call, error)
            return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
        }
    }

    private func sessionsPage(
        _ id: Customer.ID,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) async throws -> ActionPage {
        let (details, sessions) = try await database.readPrimary { reader in
            async let sessions = reader.customerSessions(of: id)
            let details = try await reader.screens.customer(
                id: id,
                app: call.app.id,
                seesPersonalData: call.seesPersonalData
            )
            return (details, try await sessions)
        }
        guard let details else { throw Self.missing }
        return ActionPage(
            sessions: sessions,
            of: details,
            key: database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            error: error,
            from: call.from,
            viewer: call.viewer,
            now: database.now
        )
    }
}
