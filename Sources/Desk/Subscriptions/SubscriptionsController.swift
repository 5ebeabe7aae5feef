import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about subscriptions.
package struct SubscriptionsController: Sendable {
    let database: Database
    let counts: CappedCounts

    /// `GET /dashboard/subscriptions`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(SubscriptionFilter.self)
        let (app, sees) = (call.app.id, call.seesPersonalData)
        let (list, plans, customer, settings) = try await database.read { reader in
            let screens = reader.screens
            async let settings = reader.ask(call.settings(of: .subscriptions, reader))
            async let plans = screens.plans(of: app)
            async let customer = screens.name(of: filter.customer, app: app, seesPersonalData: sees)
            let list = try await screens.subscriptions(filter, app: app, seesPersonalData: sees, counts: counts)
            return (list, try await plans, try await customer, try await settings)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            SubscriptionIndexPage(
                list: list,
                filter: filter,
                plans: plans,
                customer: customer?.shown(to: call),
                settings: settings,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/subscriptions/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        guard let id = Subscription.ID(try call.parameter("id")) else { throw Self.missing }
        let details = try await database.read {
            try await $0.screens.subscription(id: id, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        guard let details else { throw Self.missing }
        let (members, unknown) = try await seats(of: details, call)
        let from = DashboardPath.safe(call.query["from"])
        return .page(
            SubscriptionShowPage(
                details: details,
                members: members,
                unknownSeats: unknown,
                from: from,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// The members who have the seats of a group; none of what is not sold by seats.
    private func seats(
        of details: SubscriptionDetails,
        _ call: StaffRequest
    ) async throws -> ([ListedSeat], [UnknownSeat]) {
        guard details.row.seats != nil else { return ([], []) }
        let id = details.row.id
        return try await database.read { reader in
            async let unknown = reader.seatClaims.unknown(of: id, limit: Self.mostSeats)
            let listed = try await reader.seatClaims.listed(
                of: id,
                seesPersonalData: call.seesPersonalData,
                limit: Self.mostSeats
            )
            return (listed, try await unknown)
        }
    }

    private static var mostSeats: Int { 200 }

    private static var missing: WebError { WebError(.notFound, "There is no such subscription.") }
}
