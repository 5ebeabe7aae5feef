import Foundation
import HTTP
import Words

/// The sentence about it, with a link to the audit entry.
struct FlashText: Sendable {
    let text: String
    let linkText: StaticString
    let href: String

    init(_ done: DoneAction, _ strings: Strings) {
        text = Self.sentence(done, strings)
        linkText = strings.actionsSeeEntry
        href = DashboardPath.auditEntry(done.auditEntry)
    }

    /// Areas add the sentences of their actions here.
    private static func sentence(_ done: DoneAction, _ strings: Strings) -> String {
        switch done.action {
        case "refund.request": strings.refundsFlashRequest(number: done.object)
        case "refund.approve": strings.refundsFlashApprove(number: done.object)
        case "refund.reject": strings.refundsFlashReject(number: done.object)
        case "refund.cancel": strings.refundsFlashCancel(number: done.object)
        case "refund.process": strings.refundsFlashProcess(number: done.object)
        case "refund.send": strings.refundsFlashSend(number: done.object)
        case "refund.settle": strings.refundsFlashSettle(number: done.object)
        case "renewal.extend", "renewal.extend_all": strings.extensionsRequestedDone.description
        case "promo_code.make": strings.promoCodesMade.description
        case "promo_code.stop": strings.promoCodesStopDone.description
        case "promo_code.resume": strings.promoCodesResumeDone.description
        case "seat.end": strings.seatsEndDone.description
        case "customer.mark_tester": strings.customersTesterMarked.description
        case "customer.unmark_tester": strings.customersTesterUnmarked.description
        case "consent.give": strings.customersConsentGivenDone.description
        case "consent.withdraw": strings.customersConsentWithdrawnDone.description
        case "customer_session.end": strings.customersSessionsDone.description
        case "notification.replay": strings.notificationsReplayDone.description
        case "queue.retry": strings.queuesRetryDone.description
        case "external_purchase.report": strings.externalPurchasesDone.description
        case "reconciliation.request": strings.syncRequested.description
        case "bill_difference.note": strings.billsNoted.description
        case "bill_difference.close": strings.billsClosedDone.description
        case "checkout.close": strings.checkoutsClosedDone.description
        case "store.test": strings.connectionsTestAsked.description
        case "store.key_save": strings.connectionsKeySaved.description
        case "store.key_remove": strings.connectionsKeyRemoved.description
        case "token_issuer.secret_add": strings.connectionsLoginSaved.description
        case "token_issuer.secret_remove": strings.connectionsLoginRemoved.description
        case "store.account_token": strings.purchasesTokenDone.description
        case "staff.password": strings.accountDonePassword.description
        case "session.end": strings.accountDoneEnd.description
        case "session.end_others": strings.accountDoneEndOthers.description
        case "staff.role": strings.staffDoneRole.description
        case "staff.apps": strings.staffDoneApps.description
        case "staff.disable": strings.staffDoneShut.description
        case "staff.enable": strings.staffDoneReopen.description
        case "staff.end_sessions": strings.staffDoneSessions.description
        case "two_factor.remove": strings.staffDoneFactor.description
        case "token.revoke": strings.keysDone.description
        case "app_key.revoke": strings.appKeysDone.description
        case "note.add": strings.customersNoteDone.description
        case "note.withdraw": strings.customersNoteWithdrawn.description
        case "two_factor.off": strings.accountDoneFactorOff.description
        default:
            EntitlementActionText.done(done.action, strings) ?? BulkText.done(done.action, strings)
                ?? ViewText.done(done.action, strings) ?? UsageActionText.done(done.action, strings)
                ?? strings.actionsDone(action: ActionText.title(of: done.action, strings))
        }
    }
}
