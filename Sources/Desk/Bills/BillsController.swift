import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about stores' bills, and the rows in which they and the books differ.
package struct BillsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/bills`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(BillFilter.self)
        let list = try await database.read { try await $0.screens.bills(of: call.app.id, filter) }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        let stores = try await backOffice.storesWithBills(of: call.app.id)
        return .page(BillIndexPage(list: list, filter: filter, of: stores, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/bills/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking()
        let (id, app) = (DailyBill.ID(try call.parameter("id")), call.app.id)
        let found = try await database.read { reader -> (ListedBill, [BillSums], [ListedBillDifference], StoreFee)? in
            guard let id, let bill = try await reader.screens.bill(id, of: app) else { return nil }
            return (
                bill, try await reader.screens.sums(of: id),
                try await reader.screens.billDifferences(of: id, limit: Self.differences),
                try await reader.screens.storeFee(of: app, at: bill.bill.store)
            )
        }
        guard let (bill, sums, differences, fee) = found else { throw WebError(.notFound, "There is no such bill.") }
        return .page(
            BillShowPage(
                bill,
                sums: sums,
                differences: differences,
                fee: fee,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/bill-differences`
    @Sendable package func differences(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(BillDifferenceFilter.self)
        let list = try await database.read { try await $0.screens.billDifferences(of: call.app.id, filter) }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(BillDifferenceIndexPage(list: list, filter: filter, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/bill-differences/{id}/notes/new`: asks before a difference is noted or closed.
    @Sendable package func newNote(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("closes", "from")
        let found = try await difference(call)
        guard found.isOpen else { return .seeOther(DashboardPath.billDifferences) }
        return .page(
            ActionPage(
                noting: found,
                closes: try call.query.single("closes") == "yes",
                key: database.newUUID().uuidString.lowercased(),
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `POST /dashboard/bill-differences/{id}/notes`
    @Sendable package func note(_ call: StaffRequest) async throws -> Response {
        let found = try await difference(call)
        let closes = try call.form.single("closes") == "yes"
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.noteBillDifference(
                found.id,
                of: call.app.id,
                closes: closes,
                reason: reason,
                key: try call.key(for: found.id.description, "\(closes)", reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: call.from ?? DashboardPath.billDifferences)
        } catch let error as OperationsError where [.invalid, .conflict].contains(error.code) {
            let page = ActionPage(
                noting: found,
                closes: closes,
                key: database.newUUID().uuidString.lowercased(),
                typed: call.form.typed,
                error: error,
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
            return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
        }
    }

    private func difference(_ call: StaffRequest) async throws -> ListedBillDifference {
        let id = ListedBillDifference.ID(try call.parameter("id"))
        let found = try await database.readPrimary { reader in
            guard let id else { return nil as ListedBillDifference? }
            return try await reader.screens.billDifference(id, of: call.app.id)
        }
        guard let found else { throw WebError(.notFound, "There is no such difference.") }
        return found
    }

    private static let differences = 100
}
