import Billing
import Storage

/// What a step on a refund request changes: before and after, a row each (dashboard.md, rule 30).
struct RefundChanges {
    let rows: [ActionPage.Change]

    init(_ step: RefundAction, _ details: RefundDetails, _ viewer: Viewer, _ text: RefundText) {
        let (request, order, words) = (details.request, details.order.order, text.words)
        let store = StoreText.name(of: order.store, words).description
        let none = words.refundsNoneYet.description
        let isTold = order.store.decidesRefunds
        let charged = Money(minorUnits: order.amount, currency: order.currency)
        let refunded = Money(minorUnits: order.refunded, currency: order.currency)
        let after = Money(minorUnits: order.refunded.plus(request.refund.shown.minorUnits), currency: order.currency)
        let entitlement = EntitlementText(
            details.order.subscriptions,
            held: details.order.holdings,
            zone: viewer.zone,
            words,
            now: text.now
        )
        let access = [entitlement.words, entitlement.until].compactMap { $0 }.joined(separator: ", ")
        var rows: [ActionPage.Change] = []
        func add(_ what: some CustomStringConvertible, _ before: String, _ after: some CustomStringConvertible) {
            rows.append(ActionPage.Change(what: what.description, before: before, after: after.description))
        }
        let status = text.name(of: request.refund.status).description
        switch step {
        case .approval:
            add(words.refundsChangeStatus, status, text.name(of: .approved))
            add(
                words.refundsChangeRefunded,
                text.amount(refunded),
                words.refundsChangeRefundedOf(charged: text.amount(charged), refunded: text.amount(after))
            )
            if isTold {
                add(
                    words.refundsChangeAnswer(store: store),
                    request.storeAnswer?.rawValue ?? none,
                    RefundPreference.proposed(for: request.refund.kind).rawValue
                )
                add(words.refundsChangeAccess, access, words.refundsAccessUntilStore(store: store))
                add(words.refundsChangeTold, words.refundsNothing.description, words.refundsToldByStore(store: store))
                add(
                    words.refundsChangeUndo,
                    words.refundsNothing.description,
                    words.refundsUndoUntilStore(store: store)
                )
            } else {
                add(words.refundsChangeAccess, access, words.refundsAccessSame)
                add(words.refundsChangeTold, words.refundsNothing.description, words.refundsToldByYou)
                add(words.refundsChangeUndo, words.refundsNothing.description, words.refundsUndoUntilPaid)
            }
        case .rejection, .cancellation:
            let isRejection = step == .rejection
            add(words.refundsChangeStatus, status, text.name(of: isRejection ? .rejected : .cancelled))
            add(words.refundsChangeRefunded, text.amount(refunded), text.amount(refunded))
            if isTold {
                add(
                    words.refundsChangeAnswer(store: store),
                    request.storeAnswer?.rawValue ?? none,
                    isRejection ? RefundPreference.decline.rawValue : none
                )
            }
            add(words.refundsChangeAccess, access, words.refundsAccessSame)
            add(words.refundsChangeTold, words.refundsNothing.description, words.refundsToldByYou)
            add(words.refundsChangeUndo, words.refundsNothing.description, words.refundsUndoNew)
        case .payment:
            add(words.refundsChangeStatus, status, text.name(of: .processed))
            add(
                words.refundsChangeRefunded,
                text.amount(refunded),
                words.refundsChangeRefundedOf(charged: text.amount(charged), refunded: text.amount(after))
            )
            add(
                words.refundsChangeLedger,
                words.refundsNothing.description,
                words.refundsChangeLedgerAfter(amount: "−" + text.amount(request.refund.shown))
            )
            add(words.refundsChangeAccess, access, words.refundsAccessSame)
            add(words.refundsChangeTold, words.refundsNothing.description, words.refundsToldByYou)
            add(words.refundsChangeUndo, words.refundsNothing.description, words.refundsUndoNever)
        }
        self.rows = rows
    }
}
