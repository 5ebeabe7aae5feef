import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The page that asks before a payment that waits for people is marked as seen to: `/dashboard/checkouts/{id}/closing/new`.
    ///
    /// - Parameters:
    ///   - typed: the form's fields when it was refused.
    ///   - error: why it was refused.
    init(
        closing found: WaitingCheckout,
        key: String,
        typed: TypedFields = [:],
        error: (any Error)? = nil,
        from: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let own = from ?? DashboardPath.checkouts
        let line = WaitingCheckoutLine(found, from: own, viewer)
        self.init(
            frame: DashboardFrame(viewer, section: .sync, path: DashboardPath.newClosing(of: found.id), now: now),
            title: strings.checkoutsCloseQuestion.description,
            subtitle: "\(line.number) · \(line.store) · \(line.money.amount) \(line.money.currency)",
            back: Link(text: strings.checkoutsTitle.description, href: own),
            trouble: (error as? OperationsError)?.code == .conflict
                ? Trouble(headline: strings.checkoutsClosedAlready.description) : nil,
            changes: [
                Change(
                    what: strings.checkoutsProblem.description,
                    before: strings.checkoutsWaiting.description,
                    after: strings.checkoutsSeenTo.description
                )
            ],
            facts: [
                Fact(name: strings.checkoutsProblem.description, value: line.problem),
                Fact(name: strings.checkoutsWhatToDo.description, value: line.advice.description),
                Fact(
                    name: strings.partsOrder.description,
                    value: line.order ?? strings.partsNone.description,
                    href: line.orderHref
                ),
            ]
                + Self.consequences(
                    undo: strings.checkoutsCloseUndo,
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
            hidden: [.newKey(key)],
            method: .post,
            action: DashboardPath.closing(of: found.id),
            submit: strings.checkoutsClose.description,
            keep: Link(text: strings.accessKeep.description, href: own),
            from: from
        )
    }
}
