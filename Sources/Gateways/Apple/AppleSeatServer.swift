package import Billing
package import Foundation

/// Groups and seats at the App Store. Apple answers in the sandbox alone; for when it does in production, too, the app's account has a
/// setting (`AppleSetting.seats`).
package struct AppleSeatServer: SeatServer {
    private let api: AppleServerAPI
    private let asksProduction: Bool

    init(_ api: AppleServerAPI, asksProduction: Bool) {
        (self.api, self.asksProduction) = (api, asksProduction)
    }

    package func answers(in environment: StoreEnvironment) -> Bool { environment != .production || asksProduction }

    package func seats(
        of originalTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> StoreSeats {
        let info = try await answer(in: environment) { () async throws(AppleServerError) in
            try await api.seatInfo(of: originalTransactionID, in: environment)
        }
        return StoreSeats(total: info.total, available: info.available, claimIDs: info.claimIDs)
    }

    package func claim(
        _ id: UUID,
        of originalTransactionID: String,
        for appTransactionID: String?,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> String {
        try await answer(in: environment) { () async throws(AppleServerError) in
            try await api.claimSeat(id, of: originalTransactionID, for: appTransactionID, in: environment)
        }.id
    }

    package func unclaim(
        _ claimID: String,
        of originalTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) {
        try await answer(in: environment) { () async throws(AppleServerError) in
            try await api.unclaimSeat(claimID, of: originalTransactionID, in: environment)
        }
    }

    package func associate(
        _ claimID: String,
        of originalTransactionID: String,
        with appTransactionID: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) {
        try await answer(in: environment) { () async throws(AppleServerError) in
            try await api.associateSeat(
                claimID,
                of: originalTransactionID,
                with: appTransactionID,
                in: environment
            )
        }
    }

    package func groups(of id: String, in environment: StoreEnvironment) async throws(StoreFailure) -> [StoreGroup] {
        try await answer(in: environment) { () async throws(AppleServerError) in
            try await api.groups(of: id, in: environment)
        }.groups.map { group in
            StoreGroup(
                id: group.id,
                isOrganization: group.rawType == "ORGANIZATION",
                administers: group.roles.filter { $0.rawRole == "ADMIN" }.map(\.productID)
            )
        }
    }

    package func members(ofGroup id: String, in environment: StoreEnvironment) async throws(StoreFailure) -> [String] {
        try requireAnswering(environment)
        var members: [String] = []
        var pages = api.members(ofGroup: id, in: environment).makeAsyncIterator()
        do {
            while let page = try await pages.next() { members += page.content.appTransactionIDs }
        } catch {
            throw StoreFailure(error)
        }
        return members
    }

    @discardableResult
    private func answer<Content: Sendable>(
        in environment: StoreEnvironment,
        _ ask: () async throws(AppleServerError) -> AppleServerAnswer<Content>
    ) async throws(StoreFailure) -> Content {
        try requireAnswering(environment)
        do {
            return try await ask().content
        } catch {
            throw StoreFailure(error)
        }
    }

    private func requireAnswering(_ environment: StoreEnvironment) throws(StoreFailure) {
        guard !answers(in: environment) else { return }
        throw .misconfigured(
            GatewayError(
                .misconfigured,
                "Apple answers about groups and seats in the sandbox; once it does in production, set seats to production.",
                field: "api.\(AppleSetting.seats)"
            )
        )
    }
}
