import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The page that asks before a difference is noted or closed: `/dashboard/bill-differences/{id}/notes/new`.
    ///
    /// - Parameters:
    ///   - typed: the form's fields when it was refused.
    ///   - error: why it was refused.
    init(
        noting found: ListedBillDifference,
        closes: Bool,
        key: String,
        typed: TypedFields = [:],
        error: (any Error)? = nil,
        from: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let own = from ?? DashboardPath.billDifferences
        let line = BillDifferenceLine(found, from: own, viewer)
        func text(_ money: MoneyText?) -> String {
            money.map { "\($0.amount) \($0.currency)" } ?? strings.partsNone.description
        }
        let after = closes ? strings.billsClosed : strings.billsOpen
        self.init(
            frame: DashboardFrame(
                viewer,
                section: .sync,
                path: DashboardPath.newNote(on: found.id, closes: closes),
                now: now
            ),
            title: (closes ? strings.billsCloseQuestion : strings.billsNoteQuestion).description,
            subtitle: "\(line.kind) · \(line.store) · \(line.day)",
            back: Link(text: strings.billsDifferences.description, href: own),
            trouble: (error as? OperationsError)?.code == .conflict
                ? Trouble(headline: strings.billsClosedAlready.description) : nil,
            changes: [
                Change(
                    what: strings.partsStatus.description,
                    before: line.status.word.description,
                    after: after.description
                )
            ],
            facts: [
                Fact(name: strings.billsOrder.description, value: line.order, href: line.orderHref),
                Fact(name: strings.billsTransaction.description, value: line.transaction),
                Fact(name: strings.billsBilled.description, value: text(line.billed)),
                Fact(name: strings.billsBooked.description, value: text(line.booked)),
            ]
                + Self.consequences(
                    undo: closes ? strings.billsCloseUndo : strings.billsNoteUndo,
                    notified: strings.accessFactToldNobody,
                    strings
                ),
            factsTitle: strings.accessGoodToKnow.description,
            fields: FormField.reason(
                category: typed["category"],
                text: typed["reason"],
                problems: error.map { FormField.problems(in: $0, strings) } ?? [:],
                strings
            ),
            hidden: [.newKey(key), Hidden(name: "closes", value: closes ? "yes" : "no")],
            method: .post,
            action: DashboardPath.notes(on: found.id),
            submit: (closes ? strings.billsClose : strings.billsNote).description,
            keep: Link(text: strings.accessKeep.description, href: own),
            from: from
        )
    }
}
