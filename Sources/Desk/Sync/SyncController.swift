import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about what stores were asked.
package struct SyncController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/sync`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(ReconciliationFilter.self)
        let app = call.app.id
        let (list, bills, differences, payments) = try await database.read { reader in
            async let bills = reader.screens.bills(of: app, BillFilter())
            async let differences = reader.screens.billDifferences(of: app, BillDifferenceFilter())
            async let payments = reader.screens.waitingCheckoutCount(of: app)
            return (
                try await reader.screens.reconciliations(of: app, filter), try await bills, try await differences,
                try await payments
            )
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        let page = SyncIndexPage(
            list: list,
            filter: filter,
            stores: try await backOffice.storesToReconcile(of: app),
            bills: bills,
            differences: differences,
            payments: payments,
            key: database.newUUID().uuidString.lowercased(),
            viewer: call.viewer,
            now: database.now
        )
        return .page(page)
    }

    /// `POST /dashboard/sync`: asks at once.
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        let outcome = try await backOffice.requestReconciliation(
            of: call.app.id,
            key: try call.key(for: DashboardPath.sync),
            caller: call.caller
        )
        return call.done(outcome, see: DashboardPath.sync)
    }

    /// `GET /dashboard/sync/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        guard let id = Reconciliation.ID(try call.parameter("id")) else {
            throw WebError(.notFound, "There is no such sync.")
        }
        let app = call.app.id
        let (found, corrections) = try await database.read { reader in
            let found = try await reader.screens.reconciliation(id, of: app)
            let corrections = found == nil ? [] : try await reader.screens.corrections(of: id, limit: Self.corrections)
            return (found, corrections)
        }
        guard let found else { throw WebError(.notFound, "There is no such sync.") }
        return .page(SyncShowPage(found, corrections: corrections, viewer: call.viewer, now: database.now))
    }

    private static let corrections = 100
}
