import Hummingbird
import Operations
import Storage

/// The pages about orders.
struct OrdersController: Sendable {
    let database: Database
    let counts: CappedCounts

    /// `GET /dashboard/orders`
    @Sendable func index(_ call: StaffCall) async throws -> Response {
        let filter = try call.reading { () throws(InvalidCursor) in try OrderFilter(query: call.query.pairs) }
        if case .first = filter.position, let number = try await exactHit(filter, call) {
            return .seeOther(DashboardPath.order(number, from: filter.path))
        }
        let seesPersonalData = call.session.role.may(.viewPersonalData)
        let list = try await database.read { reader in
            try await reader.screens.orders(
                filter,
                app: call.app.id,
                seesPersonalData: seesPersonalData,
                counts: counts
            )
        }
        if list.startsOver { return .seeOther(filter.firstPage.path) }
        return .page(OrderIndexPage(list: list, filter: filter, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/orders/{number}`
    @Sendable func show(_ call: StaffCall) async throws -> Response {
        let number = try call.parameter("number")
        let seesPersonalData = call.session.role.may(.viewPersonalData)
        let details = try await database.read { reader in
            try await reader.screens.order(number: number, app: call.app.id, seesPersonalData: seesPersonalData)
        }
        guard let details else { throw WebError(.notFound, "There is no such order.") }
        let from = DashboardPath.safe(call.query["from"])
        return .page(OrderShowPage(details: details, from: from, viewer: call.viewer, now: database.now))
    }

    /// Who types a whole order number or transaction id wants that order.
    private func exactHit(_ filter: OrderFilter, _ call: StaffCall) async throws -> String? {
        guard !filter.search.isEmpty else { return nil }
        return try await database.read {
            try await $0.screens.order(matching: filter.search, app: call.app.id)
        }
    }
}
