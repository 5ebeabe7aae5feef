import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Hands out the seats of groups to which an app itself invites, for the app's own server.
package struct AppServerSeatsController: Sendable {
    let backOffice: BackOffice

    package static let list = APIOperation(
        "listCustomerSeats",
        .servers,
        "Who has the seats of the groups that a customer bought",
        """
        Each group with the newest 1,000 claims. The `next` of a group, sent as `after`, answers that group alone, with the claims that follow.
        """,
        path: .externalID,
        query: [PageParameter()],
        answer: .ok(CustomerGroups.self, "The groups to which the app invites.")
    )

    /// `GET /customers/{externalId}/seats`
    @Sendable package func index(_ call: AppServerRequest) async throws -> Response {
        let place = try await place(call)
        let customer = try await backOffice.customer(named: try call.parameter("externalId"), of: call.app)
        let groups = try await backOffice.database.readPrimary { reader in
            try await reader.seatClaims.groups(of: customer.customer, app: call.app)
        }
        guard let place else {
            var answer: [GroupSeats] = []
            for group in groups { answer.append(try await seats(of: group, after: nil)) }
            return .json(CustomerGroups(groups: answer))
        }
        guard let group = groups.first(where: { $0.id == place.subscription }) else { throw Self.noPlace }
        return .json(CustomerGroups(groups: [try await seats(of: group, after: place.id)]))
    }

    /// The claim after which the answer begins; nil for the newest.
    private func place(_ call: AppServerRequest) async throws -> SeatClaim? {
        guard case .after(let cursor) = try ListParameters(call.query).position(of: .seatClaimed) else { return nil }
        let claim = try await backOffice.database.readPrimary { reader in
            try await reader.seatClaims.claim(SeatClaim.ID(cursor.id), of: call.app)
        }
        guard let claim else { throw Self.noPlace }
        return claim
    }

    private func seats(of group: SeatGroup, after place: SeatClaim.ID?) async throws -> GroupSeats {
        let (claims, names) = try await backOffice.database.readPrimary { reader in
            let claims = try await reader.seatClaims.claims(of: group.id, after: place, limit: Self.shown + 1)
            return (claims, try await reader.seatClaims.names(of: claims.map(\.member)))
        }
        let shown = claims.prefix(Self.shown)
        let next = claims.count > shown.count ? shown.last : nil
        return GroupSeats(
            originalTransactionId: group.originalTransactionID,
            isRunning: group.isRunning,
            seats: SeatSummary(group.seats),
            claims: shown.map { Seat($0, called: names[$0.member], of: group.originalTransactionID) },
            next: next.map { PageCursor(kind: .seatClaimed, date: $0.requestedAt, id: $0.id.uuid, rowsBefore: 0).text }
        )
    }

    /// The number of claims in one answer.
    private static let shown = 1_000

    private static var noPlace: OperationsError {
        OperationsError(.invalid, "This cursor is not one of ours for this customer.", field: "after")
    }

    package static let claim = APIOperation(
        "claimCustomerSeat",
        .servers,
        "Claims a seat of a customer's group for a member",
        """
        The member has access once the answer is `HELD`. A member who has a seat already has that one: the call may be sent again. `PENDING`: \
        the store has not answered; it is asked on, under the same identifier.
        """,
        path: .externalID,
        body: SeatClaimRequest.body,
        takesKey: false,
        answer: .ok(Seat.self, "The seat.")
    )

    /// `POST /customers/{externalId}/seats`
    @Sendable package func create(_ call: AppServerRequest) async throws -> Response {
        let sent = try await call.request.json(SeatClaimRequest.self).value
        let request = try SeatRequest(
            purchaser: try call.parameter("externalId"),
            member: sent.member,
            originalTransactionID: sent.originalTransactionId,
            appTransactionID: sent.appTransactionId
        )
        return try await answer(
            try await backOffice.claimSeat(request, of: call.app, caller: call.caller),
            called: request.member,
            of: call.app
        )
    }

    package static let end = APIOperation(
        "endCustomerSeat",
        .servers,
        "Ends a member's seat",
        "Access ends at once; the store is told. One that has ended stays as it is.",
        path: .externalID,
        .id("id", "The seat's id."),
        query: [by],
        answer: .ok(Seat.self, "The seat.")
    )

    /// `DELETE /customers/{externalId}/seats/{id}`
    @Sendable package func end(_ call: AppServerRequest) async throws -> Response {
        let purchaser = try await backOffice.customer(named: try call.parameter("externalId"), of: call.app)
        let ending = try ListParameters(call.query).value(Self.by) ?? .removed
        guard let id = SeatClaim.ID(try call.parameter("id")) else { throw Self.noSeat }
        let (groups, claim) = try await backOffice.database.readPrimary { reader in
            (
                try await reader.seatClaims.groups(of: purchaser.customer, app: call.app),
                try await reader.seatClaims.claim(id, of: call.app)
            )
        }
        guard let claim, groups.contains(where: { $0.id == claim.subscription }) else { throw Self.noSeat }
        return try await answer(
            try await backOffice.endSeat(id, by: ending, of: call.app, caller: call.caller),
            called: nil,
            of: call.app
        )
    }

    private static var noSeat: OperationsError { OperationsError(.notFound, "There is no such seat.") }

    private static let by = QueryParameter(
        "by",
        oneOf: ["LEFT", "REMOVED"],
        "Whether the member left or was removed, which is what is kept.",
        preset: "REMOVED"
    ) { text -> SeatClaim.Ending? in
        switch text {
        case "LEFT": .left
        case "REMOVED": .removed
        default: nil
        }
    }

    private func answer(_ claim: SeatClaim, called name: String?, of app: App.ID) async throws -> Response {
        let (group, names) = try await backOffice.database.readPrimary { reader in
            (
                try await reader.seatClaims.group(claim.subscription, of: app),
                name == nil ? try await reader.seatClaims.names(of: [claim.member]) : [:]
            )
        }
        return .json(Seat(claim, called: name ?? names[claim.member], of: group?.originalTransactionID ?? ""))
    }
}

extension Seat {
    /// - Parameter name: the app's own id of the member.
    fileprivate init(_ claim: SeatClaim, called name: String?, of originalTransactionID: String) {
        var (ended, heldSince): ((at: Date, by: String, error: String?)?, Date?)
        var status = "PENDING"
        switch claim.state {
        case .asked: break
        case .held(let since): (status, heldSince) = ("HELD", since)
        case .ended(let date, let ending, let refusal):
            (status, ended) = ("ENDED", (date, ending.rawValue.uppercased(), refusal?.message))
        }
        self.init(
            id: claim.id.uuid,
            member: name,
            memberId: claim.member.uuid,
            originalTransactionId: originalTransactionID,
            status: status,
            requestedAt: claim.requestedAt,
            heldSince: heldSince,
            endedAt: ended?.at,
            endedBy: ended?.by,
            error: ended?.error ?? claim.wait?.words
        )
    }
}
