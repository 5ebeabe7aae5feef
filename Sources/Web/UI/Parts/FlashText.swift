package import Foundation

/// What the person has just done, as its audit entry says; shown once on the page after it (dashboard.md, rule 38).
package struct DoneAction: Sendable, Hashable {
    package var auditEntry: UUID
    /// `noun.verb`, as in the audit log.
    package var action: String
    package var object: String

    package init(auditEntry: UUID, action: String, object: String) {
        self.auditEntry = auditEntry
        self.action = action
        self.object = object
    }
}

/// The sentence about it, with a link to the audit entry.
struct FlashText: Sendable {
    let text: String
    let linkText: StaticString
    let href: String

    init(_ done: DoneAction, _ words: Words) {
        text = Self.sentence(done, words)
        linkText = words.actionsSeeEntry
        href = DashboardPath.auditEntry(done.auditEntry)
    }

    /// Areas add the sentences of their actions here.
    private static func sentence(_ done: DoneAction, _ words: Words) -> String {
        switch done.action {
        case "refund.request": words.refundsFlashRequest(number: done.object)
        case "refund.approve": words.refundsFlashApprove(number: done.object)
        case "refund.reject": words.refundsFlashReject(number: done.object)
        case "refund.cancel": words.refundsFlashCancel(number: done.object)
        case "refund.process": words.refundsFlashProcess(number: done.object)
        case "notification.replay": words.notificationsReplayDone.description
        case "staff.password": words.accountDonePassword.description
        case "session.end": words.accountDoneEnd.description
        case "session.end_others": words.accountDoneEndOthers.description
        case "staff.role": words.staffDoneRole.description
        case "staff.apps": words.staffDoneApps.description
        case "staff.disable": words.staffDoneShut.description
        case "staff.enable": words.staffDoneReopen.description
        case "staff.end_sessions": words.staffDoneSessions.description
        case "two_factor.remove": words.staffDoneFactor.description
        case "token.revoke": words.keysDone.description
        case "two_factor.off": words.accountDoneFactorOff.description
        default:
            AccessWords.done(done.action, words) ?? BulkWords.done(done.action, words)
                ?? ViewWords.done(done.action, words)
                ?? words.actionsDone(action: done.action.replacing(".", with: " "), object: done.object)
        }
    }
}
