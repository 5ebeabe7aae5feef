import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension RefundText {
    /// Returns the sentence on what comes next of a case; nil where it is over.
    ///
    /// - Parameter mayBePaid: what was approved can still be marked as paid.
    func next(_ prospect: AnswerProspect, at store: String, mayBePaid: Bool) -> String? {
        switch prospect {
        case .notAsked: strings.refundsNextNotAsked(store: store)
        case .byRules(let date): strings.refundsNextRules(store: store, when: moment(date))
        case .sending: strings.refundsNextSending(store: store)
        case .sent(let date):
            mayBePaid
                ? strings.refundsNextSent(store: store, when: moment(date))
                : strings.refundsNextTold(store: store, when: moment(date))
        case .refused(let words): strings.refundsNextRefused(reason: words, store: store)
        case .blocked(let reason, let end):
            strings.refundsNextBlocked(reason: clause(reason, store), store: store, when: moment(end))
        case .lapsed(let reason): strings.refundsNextLapsed(reason: clause(reason, store), store: store)
        case .over: nil
        }
    }

    /// Returns the sentence that a question shows before its button; nil where the answer is sent once it is given.
    func before(_ prospect: AnswerProspect, at store: String) -> String? {
        switch prospect {
        case .notAsked: strings.refundsNextNotAsked(store: store)
        case .blocked(let reason, let end):
            strings.refundsBeforeBlocked(reason: clause(reason, store), store: store, when: moment(end))
        case .lapsed(let reason): strings.refundsBeforeLapsed(reason: clause(reason, store), store: store)
        case .byRules, .sending, .sent, .refused, .over: nil
        }
    }

    /// "the customer’s consent is not recorded"
    func clause(_ reason: ConsumptionAnswer.Withholding, _ store: String) -> String {
        switch reason {
        case .noRule: strings.refundsWithheldRule.description
        case .noConsent: strings.refundsWithheldConsent.description
        case .noPercentage: strings.refundsWithheldPercentage.description
        case .tooLate: strings.refundsWithheldLate(store: store)
        case .noKey: strings.refundsWithheldKey(store: store)
        }
    }
}

extension RefundDetails {
    /// The link to where consent is recorded, for who may; nil where nothing waits for it.
    func consentLink(_ prospect: AnswerProspect?, from: String, _ viewer: Viewer) -> ActionPage.Link? {
        guard prospect?.obstacle == .noConsent, viewer.role.may(.recordConsent) else { return nil }
        return ActionPage.Link(
            text: viewer.strings.customersConsentChange.description,
            href: DashboardPath.customer(order.customer.id) + "/consent" + DashboardPath.suffix(from: from)
        )
    }
}
