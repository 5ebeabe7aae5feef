package import Billing
package import Foundation

/// Groups (App Store Server API 1.22) and the seats of a group whose invitations are the app's (1.23). Apple answers them in the sandbox.
extension AppleServerAPI {
    /// The groups that a customer is in.
    ///
    /// - Parameter id: an original transaction id, a transaction id or an app transaction id of theirs.
    package func groups(
        of id: String,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleGroups> {
        try await ask(
            .customerGroups,
            about: [id],
            in: environment,
            path: { "/groups/v1/currentGroups/\($0.joined())" },
            read: AppleGroups.init
        )
    }

    /// All members of a group, page by page.
    package func members(ofGroup id: String, in environment: StoreEnvironment) -> ApplePages<AppleGroupMembers> {
        ApplePages(endpoint: .groupMembers, environment: environment, place: nil) {
            [self] place, _ throws(AppleServerError) in
            try await ask(
                .groupMembers,
                about: [id],
                in: environment,
                query: [("limit", "100")] + (place.map { [("paginationToken", $0)] } ?? []),
                path: { "/groups/v1/group/\($0.joined())" },
                read: AppleGroupMembers.init
            )
        }
    }

    package func seatInfo(
        of originalTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleSeatInfo> {
        try await ask(
            .seatInfo,
            about: [originalTransactionID],
            in: environment,
            path: { "/groups/v1/transactions/\($0.joined())/seats" },
            read: AppleSeatInfo.init
        )
    }

    /// Takes a seat; the same identifier again is the same claim.
    package func claimSeat(
        _ requestIdentifier: UUID,
        of originalTransactionID: String,
        for appTransactionID: String? = nil,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleSeatClaim> {
        var body: JSON = ["requestIdentifier": .string(requestIdentifier.uuidString.lowercased())]
        body["appTransactionId"] = appTransactionID.map { .string($0) }
        return try await ask(
            .claimSeat,
            about: [originalTransactionID],
            in: environment,
            body: body,
            path: { "/groups/v1/transactions/\($0.joined())/seats" },
            read: AppleSeatClaim.init
        )
    }

    package func unclaimSeat(
        _ seatClaimID: String,
        of originalTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<Void> {
        try await ask(
            .unclaimSeat,
            about: [originalTransactionID, seatClaimID],
            in: environment,
            path: { "/groups/v1/transactions/\($0.joined(separator: "/seats/"))" },
            read: { _ in }
        )
    }

    /// Says whose a claim is, where that was learnt after it.
    package func associateSeat(
        _ seatClaimID: String,
        of originalTransactionID: String,
        with appTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<Void> {
        try await ask(
            .associateSeat,
            about: [originalTransactionID, seatClaimID],
            in: environment,
            body: ["appTransactionId": .string(appTransactionID)],
            path: { "/groups/v1/transactions/\($0.joined(separator: "/seats/"))/associate" },
            read: { _ in }
        )
    }
}
