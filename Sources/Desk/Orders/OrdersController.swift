import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about orders.
package struct OrdersController: Sendable {
    let database: Database
    let counts: CappedCounts

    /// `GET /dashboard/orders`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(OrderFilter.self)
        if case .first = filter.position, let number = try await exactHit(filter, call) {
            return .seeOther(DashboardPath.order(number, from: filter.path))
        }
        let (list, settings, customer) = try await database.read { reader in
            let (list, settings) = try await reader.screens.orders(
                filter,
                app: call.app.id,
                seesPersonalData: call.seesPersonalData,
                counts: counts,
                alongside: call.settings(of: .orders, reader)
            )
            let customer = try await reader.screens.name(
                of: filter.customer,
                app: call.app.id,
                seesPersonalData: call.seesPersonalData
            )
            return (list, settings, customer)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            OrderIndexPage(
                list: list,
                filter: filter,
                customer: customer?.shown(to: call),
                settings: settings,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/orders/{number}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let number = try call.parameter("number")
        let seesPersonalData = call.seesPersonalData
        let (details, refunds, billed) = try await database.read { reader in
            let order = try await reader.screens.order(
                number: number,
                app: call.app.id,
                seesPersonalData: seesPersonalData
            )
            guard let order else { throw WebError(.notFound, "There is no such order.") }
            return (
                order, try await reader.screens.refunds(of: order, app: call.app.id),
                try await reader.screens.billRows(of: order.order, app: call.app.id)
            )
        }
        return .page(
            OrderShowPage(
                details: details,
                refunds: refunds,
                billed: billed,
                person: call.refundPerson,
                from: DashboardPath.safe(call.query["from"]),
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// Finds the order whose whole number or transaction id was typed: that is the order that the person wants.
    private func exactHit(_ filter: OrderFilter, _ call: StaffRequest) async throws -> String? {
        guard !filter.search.isEmpty else { return nil }
        return try await database.read {
            try await $0.screens.order(matching: filter.search, app: call.app.id)
        }
    }
}
