import Billing
import Foundation
import Gateways

/// Groups and the seats of a group whose invitations are the app's, over what the books know of the purchaser's subscription.
extension SimulatedBooks {
    mutating func routeGroups(
        _ request: SimulatedRequest,
        _ path: [String],
        _ with: Answering
    ) throws -> StoreResponse? {
        switch (request.method, path.count) {
        case ("GET", 3) where path.starts(with: ["v1", "currentGroups"]): return try groups(of: path[2])
        case ("GET", 3) where path.starts(with: ["v1", "group"]): return try members(of: path[2], request)
        case ("GET", 4) where path.starts(with: ["v1", "transactions"]) && path[3] == "seats":
            return try seatInfo(of: path[2])
        case ("POST", 4) where path.starts(with: ["v1", "transactions"]) && path[3] == "seats":
            return try claimSeat(of: path[2], request, with)
        case ("DELETE", 5) where path.starts(with: ["v1", "transactions"]) && path[3] == "seats":
            return try unclaimSeat(path[4], of: path[2])
        case ("POST", 6)
        where path.starts(with: ["v1", "transactions"]) && path[3] == "seats" && path[5] == "associate":
            return try associateSeat(path[4], of: path[2], request)
        default: return nil
        }
    }

    /// A seat that somebody holds.
    struct SeatClaim: Sendable {
        let id: String
        let requestIdentifier: String
        var appTransactionID: String?
    }

    // MARK: Groups

    /// Whoever was assigned a seat is in a group, with whom theirs was bought; nobody else is in one, of which the sandbox says so by a
    /// group that there is not.
    private func groups(of id: String) throws -> StoreResponse {
        let entry = transactions.values.first { $0.payload["appTransactionId"]?.string == id }
        guard let member = try entry ?? self.entry(id).newest(in: self) else {
            throw SimulatedRefusal(.transactionIDNotFound)
        }
        guard let group = member.payload["simulatedGroupId"]?.string ?? seatGroups[member.originalID] else {
            let placeholder: JSON = ["groupId": "900000000000000000", "groupType": "ORGANIZATION", "roles": []]
            return .json(["groups": environment == .sandbox ? .array([placeholder]) : .array([])])
        }
        return .json(["groups": .array([["groupId": .string(group), "groupType": "CONSUMER"]])])
    }

    private func members(of group: String, _ request: SimulatedRequest) throws -> StoreResponse {
        guard !group.isEmpty, group.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw SimulatedRefusal(.invalidGroupID)
        }
        let limit = request.first("limit").map { Int($0) ?? 0 } ?? 100
        guard (1...100).contains(limit) else { throw SimulatedRefusal(.invalidLimit) }
        if group == "900000000000000000" {
            return .json(["members": .array([["appTransactionId": "700000000000000000"]]), "hasMore": false])
        }
        let claimed = seatGroups.filter { $0.value == group }.flatMap { seatClaims[$0.key] ?? [] }
        let named = transactions.values.filter { $0.payload["simulatedGroupId"]?.string == group }
        let all = Set(
            claimed.compactMap(\.appTransactionID) + named.compactMap { $0.payload["appTransactionId"]?.string }
        )
        guard !all.isEmpty || seatGroups.values.contains(group) else { throw SimulatedRefusal(.groupNotFound) }
        let place = request.first("paginationToken") ?? ""
        let rest = all.sorted().filter { $0 > place }
        let page = rest.prefix(limit)
        var answer: JSON = [
            "members": .array(page.map { ["appTransactionId": .string($0)] }),
            "hasMore": .bool(rest.count > page.count),
        ]
        if rest.count > page.count { answer["paginationToken"] = page.last.map { .string($0) } }
        return .json(answer)
    }

    // MARK: Seats

    private func seatInfo(of id: String) throws -> StoreResponse {
        let total = try seats(of: id)
        let claims = seatClaims[id] ?? []
        return .json([
            "totalSeatCount": .integer(Int64(total)),
            // The purchaser needs no claim and has a seat.
            "availableSeatCount": .integer(Int64(max(0, total - 1 - claims.count))),
            "assignedSeatClaimIds": .array(claims.map { .string($0.id) }),
        ])
    }

    private mutating func claimSeat(
        of id: String,
        _ request: SimulatedRequest,
        _ with: Answering
    ) throws -> StoreResponse {
        let total = try seats(of: id)
        let body = try Self.object(request)
        guard let identifier = body["requestIdentifier"]?.string, UUID(uuidString: identifier) != nil else {
            throw SimulatedRefusal(.invalidRequestIdentifier)
        }
        let claims = seatClaims[id] ?? []
        if let known = claims.first(where: { $0.requestIdentifier == identifier }) {
            return .json(["seatClaimId": .string(known.id)])
        }
        guard Self.isKnown(body["appTransactionId"]?.string) else { return Self.noSuchAccount }
        // Apple names the error and not its number.
        guard claims.count < total - 1 else {
            return SimulatedRefusal.response(code: 4_009_999, message: "No available seats.")
        }
        let claim = SeatClaim(
            id: UUID().uuidString.lowercased(),
            requestIdentifier: identifier,
            appTransactionID: body["appTransactionId"]?.string
        )
        seatClaims[id, default: []].append(claim)
        seatGroups[id] = seatGroups[id] ?? "8" + id.suffix(17)
        return .json(["seatClaimId": .string(claim.id)])
    }

    private mutating func unclaimSeat(_ claim: String, of id: String) throws -> StoreResponse {
        _ = try seats(of: id)
        guard seatClaims[id]?.contains(where: { $0.id == claim }) == true else { return Self.noSuchClaim }
        seatClaims[id]?.removeAll { $0.id == claim }
        return StoreResponse(status: 200)
    }

    private mutating func associateSeat(
        _ claim: String,
        of id: String,
        _ request: SimulatedRequest
    ) throws -> StoreResponse {
        _ = try seats(of: id)
        guard let appTransactionID = try Self.object(request)["appTransactionId"]?.string else {
            throw SimulatedRefusal(.generalBadRequest)
        }
        guard Self.isKnown(appTransactionID) else { return Self.noSuchAccount }
        guard let index = seatClaims[id]?.firstIndex(where: { $0.id == claim }) else { return Self.noSuchClaim }
        seatClaims[id]?[index].appTransactionID = appTransactionID
        return StoreResponse(status: 200)
    }

    /// An app transaction id that begins with 404 is one that Apple cannot find; every other is somebody's.
    private static func isKnown(_ appTransactionID: String?) -> Bool { appTransactionID?.hasPrefix("404") != true }

    private static let noSuchAccount = SimulatedRefusal.response(
        code: 4_049_998,
        message: "App transaction id not found."
    )
    private static let noSuchClaim = SimulatedRefusal.response(code: 4_049_999, message: "Seat claim id not found.")

    /// The seats of a group whose invitations are the app's, in all transactions of its period.
    private func seats(of id: String) throws -> Int {
        let entry = try entry(id)
        guard entry.originalID == id, let newest = latest(of: id) else {
            throw SimulatedRefusal(.originalTransactionIDNotFound)
        }
        guard newest.payload["multiSeatInfo"]?["invitationManagement"]?.string == "DEVELOPER" else {
            return try refuseForeignGroup()
        }
        let end = newest.payload["expiresDate"]?.date
        let running = transactions(of: newest.customer).filter {
            $0.originalID == id && $0.payload["expiresDate"]?.date == end && $0.payload["revocationDate"] == nil
        }
        return running.reduce(0) { sum, entry in
            let sold = entry.payload["quantity"]?.integer ?? 1
            let revoked = entry.payload["multiSeatInfo"]?["revokedSeatQuantity"]?.integer ?? 0
            return sum + Int(clamping: max(0, min(sold, 1_000_000) - max(0, revoked)))
        }
    }

    private func refuseForeignGroup() throws -> Int { throw SimulatedRefusal(.generalBadRequest) }
}

extension SimulatedBooks.Entry {
    /// The newest transaction of the same subscription.
    fileprivate func newest(in books: SimulatedBooks) -> SimulatedBooks.Entry? { books.latest(of: originalID) ?? self }

    /// A seat that somebody else pays for.
    var isAssigned: Bool { payload["inAppOwnershipType"]?.string == "ASSIGNED" }
}
