import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Answers stores' bills, and the rows in which they and the books differ, as JSON, for programs.
package struct AdminBillsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    package static let list = APIOperation(
        "listBills",
        .queues,
        "Stores' bills of each day, the newest first",
        "Each bill is compared with the books as soon as the store has made it.",
        query: [PageParameter()],
        answer: .ok(BillPage.self, "A page of 25.")
    )

    /// `GET /admin/bills`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let question = ListParameters(call.query)
        let filter = BillFilter(position: try question.position(of: .billDay))
        let list = try await database.read { try await $0.screens.bills(of: call.app, filter) }
        return .json(BillPage(bills: list.rows.map { BillItem($0) }, next: list.next(by: filter)?.text))
    }

    package static let differenceList = APIOperation(
        "listBillDifferences",
        .queues,
        "Rows in which stores' bills and the books differ",
        "Those that were found last come first. One that a later bill, payment or refund explains is closed by itself.",
        query: [shownParameter, PageParameter()],
        answer: .ok(BillDifferencePage.self, "A page of 25.")
    )

    /// `GET /admin/bill-differences`
    @Sendable package func differences(_ call: APIRequest) async throws -> Response {
        let question = ListParameters(call.query)
        let filter = BillDifferenceFilter(
            shown: try question.value(Self.shownParameter) ?? .open,
            position: try question.position(of: .billDifferenceFound)
        )
        let list = try await database.read { try await $0.screens.billDifferences(of: call.app, filter) }
        let page = BillDifferencePage(
            differences: list.rows.map { BillDifferenceItem($0, for: call) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let note = APIOperation(
        "noteBillDifference",
        .queues,
        "Keeps a note on a difference, or closes it with one",
        "409 where it is closed already.",
        path: .id("id", "The difference's id."),
        body: BillNoteRequest.body,
        answer: .ok(BillDifferenceItem.self, "The difference.")
    )

    /// `POST /admin/bill-differences/{id}/notes`
    @Sendable package func addNote(_ call: APIRequest) async throws -> Response {
        let id = try await difference(call).id
        let sent = try await call.body(BillNoteRequest.self)
        _ = try await backOffice.noteBillDifference(
            id,
            of: call.app,
            closes: sent.value.closes ?? false,
            reason: try Reason(category: sent.value.category, text: sent.value.reason),
            key: try call.key(for: sent.text),
            caller: call.caller
        )
        return .json(BillDifferenceItem(try await difference(call), for: call))
    }

    private func difference(_ call: APIRequest) async throws -> ListedBillDifference {
        let id = ListedBillDifference.ID(try call.parameter("id"))
        let found = try await database.readPrimary { reader in
            guard let id else { return nil as ListedBillDifference? }
            return try await reader.screens.billDifference(id, of: call.app)
        }
        guard let found else { throw WebError(.notFound, "There is no such difference.") }
        return found
    }

    private static let shownParameter = QueryParameter(
        "show",
        BillDifferenceFilter.Shown.self,
        "Which ones: open (without this), closed, or all.",
        preset: .open
    )
}

extension BillItem {
    fileprivate init(_ row: ListedBill) {
        self.init(
            id: row.id.uuid,
            source: row.bill.store.source,
            environment: row.bill.environment.name,
            day: row.bill.day.description,
            status: row.bill.state.rawValue.uppercased(),
            rows: row.bill.rows,
            differences: row.differences,
            open: row.open,
            unreadable: row.bill.unreadable,
            problem: row.bill.problem,
            askedAt: row.bill.askedAt,
            fetchedAt: row.bill.fetchedAt,
            nextAt: row.bill.nextAt
        )
    }
}

extension BillDifferenceItem {
    fileprivate init(_ row: ListedBillDifference, for reader: some PersonalDataReader) {
        let difference = row.difference
        let status =
            switch row.closeReason {
            case nil: "OPEN"
            case .explained: "EXPLAINED"
            case .staff: "CLOSED"
            }
        self.init(
            id: row.id.uuid,
            source: row.store.source,
            environment: row.environment.name,
            billId: row.bill.uuid,
            day: row.day.description,
            kind: difference.kind.rawValue.uppercased(),
            status: status,
            orderNumber: row.order,
            storeOrderNumber: difference.orderNumber,
            transactionId: difference.transactionID,
            refundNumber: difference.refundNumber,
            billed: difference.billed.map(Amount.init),
            booked: difference.booked.map(Amount.init),
            currency: (difference.billed ?? difference.booked)?.currency.code,
            at: difference.at,
            foundAt: row.foundAt,
            closedAt: row.closedAt,
            note: row.note?.shown(to: reader),
            notedAt: row.notedAt
        )
    }
}
