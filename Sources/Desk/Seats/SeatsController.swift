import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// Lists the seats of groups, and ends those that members have.
package struct SeatsController: Sendable {
    let backOffice: BackOffice

    /// `GET /dashboard/seats`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(SeatFilter.self)
        let list = try await backOffice.database.read { reader in
            try await reader.seatClaims.list(filter, of: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(SeatIndexPage(list: list, filter: filter, viewer: call.viewer, now: backOffice.database.now))
    }

    /// `GET /dashboard/seats/{id}/end`
    @Sendable package func ask(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        return .page(try await page(try seat(call), call))
    }

    /// `POST /dashboard/seats/{id}/end`: why.
    @Sendable package func end(_ call: StaffRequest) async throws -> Response {
        let id = try seat(call)
        do {
            let reason = try call.reason()
            let known = try await listed(id, call)
            let outcome = try await backOffice.endSeat(
                id,
                of: call.app.id,
                reason: reason,
                key: try call.key(for: "\(id)\n\(reason.forAudit)"),
                caller: call.caller
            )
            return call.done(outcome, see: call.from ?? DashboardPath.subscription(known.claim.subscription))
        } catch let error as OperationsError where error.code == .invalid {
            return .page(try await page(id, call, error), status: .unprocessableContent)
        }
    }

    private func seat(_ call: StaffRequest) throws -> SeatClaim.ID {
        guard let id = SeatClaim.ID(try call.parameter("id")) else { throw Self.missing }
        return id
    }

    private func listed(_ id: SeatClaim.ID, _ call: StaffRequest) async throws -> ListedSeat {
        let seat = try await backOffice.database.readPrimary { reader in
            try await reader.seatClaims.listed(id, of: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        guard let seat else { throw Self.missing }
        return seat
    }

    private func page(
        _ id: SeatClaim.ID,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) async throws -> ActionPage {
        ActionPage(
            endOf: try await listed(id, call),
            key: backOffice.database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            problems: error.map { FormField.problems(in: $0, call.viewer.strings) } ?? [:],
            from: call.from,
            viewer: call.viewer,
            now: backOffice.database.now
        )
    }

    private static var missing: WebError { WebError(.notFound, "There is no such seat.") }
}
