import Billing
import HTTP
import Storage
import Words

/// The changes of a step on a refund request: before and after, a row each (dashboard.md, rule 30).
struct RefundChanges {
    let rows: [ActionPage.Change]

    /// - Parameter answer: the preference that an approval tells a store that decides for itself.
    init(
        _ step: RefundAction,
        _ details: RefundDetails,
        _ answer: RefundPreference,
        _ viewer: Viewer,
        _ text: RefundText
    ) {
        let (request, order, strings) = (details.request, details.order.order, text.strings)
        let store = StoreText.name(of: order.store, strings).description
        let none = strings.refundsNoneYet.description
        let isTold = request.isDecided(by: order.store)
        let (charged, refunded) = (details.refundable.amount, details.refundable.refunded)
        let units = refunded.minorUnits.plus(request.refund.shown.minorUnits)
        let after = Money(minorUnits: units, currency: refunded.currency)
        let entitlement = EntitlementText(
            details.order.subscriptions,
            held: details.order.entitlementSources,
            standing: details.order.entitlementSources?.standing(basePlan: details.order.basePlan, at: text.now),
            zone: viewer.zone,
            strings,
            now: text.now
        )
        let access = [entitlement.text, entitlement.until].compactMap { $0 }.joined(separator: ", ")
        var rows: [ActionPage.Change] = []
        func add(_ what: some CustomStringConvertible, _ before: String, _ after: some CustomStringConvertible) {
            rows.append(ActionPage.Change(what: what.description, before: before, after: after.description))
        }
        let status = text.name(of: request.refund.status).description
        switch step {
        case .approval:
            add(strings.refundsChangeStatus, status, text.name(of: .approved))
            add(
                strings.refundsChangeRefunded,
                text.amount(refunded),
                isTold
                    ? Self.paidBack(details, answer, text)
                    : strings.refundsChangeRefundedOf(charged: text.amount(charged), refunded: text.amount(after))
            )
            if isTold {
                add(
                    strings.refundsChangeAnswer(store: store),
                    request.refundPreference.map { text.name(of: $0).description } ?? none,
                    text.name(of: answer)
                )
                add(strings.refundsChangeAccess, access, strings.refundsAccessUntilStore(store: store))
                add(
                    strings.refundsChangeTold,
                    strings.refundsNothing.description,
                    strings.refundsToldByStore(store: store)
                )
                add(
                    strings.refundsChangeUndo,
                    strings.refundsNothing.description,
                    strings.refundsUndoUntilStore(store: store)
                )
            } else {
                add(strings.refundsChangeAccess, access, Self.access(after: details, isByHand: false, store, strings))
                add(strings.refundsChangeTold, strings.refundsNothing.description, strings.refundsToldByYou)
                add(
                    strings.refundsChangeUndo,
                    strings.refundsNothing.description,
                    details.isPaidByStore
                        ? strings.refundsUndoUntilSent(store: store) : strings.refundsUndoUntilPaid.description
                )
            }
        case .rejection, .cancellation:
            let isRejection = step == .rejection
            add(strings.refundsChangeStatus, status, text.name(of: isRejection ? .rejected : .cancelled))
            add(strings.refundsChangeRefunded, text.amount(refunded), text.amount(refunded))
            if isTold {
                add(
                    strings.refundsChangeAnswer(store: store),
                    request.refundPreference.map { text.name(of: $0).description } ?? none,
                    isRejection ? text.name(of: .decline).description : none
                )
            }
            add(strings.refundsChangeAccess, access, strings.refundsAccessSame)
            add(strings.refundsChangeTold, strings.refundsNothing.description, strings.refundsToldByYou)
            add(strings.refundsChangeUndo, strings.refundsNothing.description, strings.refundsUndoNew)
        case .sending, .settlement:
            let paid = PayoutText(order.store, strings)
            let isSending = step == .sending
            add(
                strings.refundsPayoutTitle(store: store),
                details.payout.map { paid.name(of: $0.payout.state).description } ?? none,
                paid.name(of: isSending ? .sent : .processing)
            )
            add(strings.refundsChangeRefunded, text.amount(refunded), text.amount(refunded))
            add(
                strings.refundsChangeAccess,
                access,
                strings.refundsAccessWhenPaid(store: store)
            )
            add(
                strings.refundsChangeTold,
                strings.refundsNothing.description,
                isSending ? strings.refundsToldByYou.description : strings.refundsToldSettled(store: store)
            )
            add(strings.refundsChangeUndo, strings.refundsNothing.description, strings.refundsUndoAsked(store: store))
        case .payment:
            add(strings.refundsChangeStatus, status, text.name(of: .processed))
            add(
                strings.refundsChangeRefunded,
                text.amount(refunded),
                strings.refundsChangeRefundedOf(charged: text.amount(charged), refunded: text.amount(after))
            )
            add(
                strings.refundsChangeLedger,
                strings.refundsNothing.description,
                strings.refundsChangeLedgerAfter(amount: "−" + text.amount(request.refund.shown))
            )
            add(strings.refundsChangeAccess, access, Self.access(after: details, isByHand: true, store, strings))
            add(strings.refundsChangeTold, strings.refundsNothing.description, strings.refundsToldByYou)
            add(strings.refundsChangeUndo, strings.refundsNothing.description, strings.refundsUndoNever)
        }
        self.rows = rows
    }

    /// Returns what becomes of access when the refund is paid: of a bought period that is given back in full it ends.
    private static func access(
        after details: RefundDetails,
        isByHand: Bool,
        _ store: String,
        _ strings: Strings
    ) -> String {
        let rules = details.order.order.store.rules
        guard details.isPaidByStore else { return strings.refundsAccessSame.description }
        guard !rules.revokesOnRequest else {
            return isByHand ? strings.refundsAccessSame.description : strings.refundsAccessAsChosen(store: store)
        }
        let units = details.refundable.refunded.minorUnits.plus(details.request.refund.shown.minorUnits)
        let isFull = units >= details.refundable.amount.minorUnits
        return (isFull ? strings.refundsAccessPeriodEnds : strings.refundsAccessSame).description
    }

    /// Returns the amount that is given back when the store follows the preference.
    private static func paidBack(_ details: RefundDetails, _ answer: RefundPreference, _ text: RefundText) -> String {
        let (order, strings) = (details.order.order, text.strings)
        let store = StoreText.name(of: order.store, strings).description
        let payback = StorePayback(details.refundable, at: text.now)
        guard let amount = payback.amount(for: answer) else {
            return strings.refundsChangeRefundedUnknown(store: store)
        }
        let (charged, refunded) = (details.refundable.amount, details.refundable.refunded)
        let sum = Money(minorUnits: refunded.minorUnits.plus(amount.minorUnits), currency: refunded.currency)
        return strings.refundsChangeRefundedAbout(
            charged: text.amount(charged),
            refunded: text.amount(sum),
            store: store
        )
    }
}
