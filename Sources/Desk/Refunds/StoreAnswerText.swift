import Billing
import Foundation
import HTTP
import Storage
import Words

/// The answer to a store that asked about a refund, as facts.
struct StoreAnswerText {
    let facts: [ActionPage.Fact]

    init(_ answering: RefundDetails.Answering, to request: RefundRequest, at store: String, _ text: RefundText) {
        let strings = text.strings
        var facts: [ActionPage.Fact] = []
        func add(_ name: StaticString, _ value: String, at moment: Date? = nil) {
            facts.append(ActionPage.Fact(name: name.description, value: value, at: moment.map(text.stamp)))
        }
        add(strings.refundsAnsweringConsent, ConsentText.state(answering.consent, strings).description)
        if let rule = answering.answer?.rule {
            add(strings.refundsAnsweringRule, "\(rule.position). \(rule.name)")
        } else if request.refundPreference != nil {
            add(strings.refundsAnsweringRule, strings.refundsAnsweringByStaff.description)
        } else if let match = answering.match {
            add(
                strings.refundsAnsweringProposal,
                strings.refundsAnsweringProposed(
                    answer: text.name(of: match.rule.answer).description,
                    rule: "\(match.position). \(match.rule.name)"
                )
            )
        } else {
            add(strings.refundsAnsweringProposal, strings.refundsAnsweringNoRule.description)
        }
        if let preference = answering.answer?.preference {
            add(strings.refundsAnsweringAnswer, text.name(of: preference).description)
        }
        if let percentage = answering.answer?.percentage {
            add(strings.refundsAnsweringConsumed, "\(strings.percent(Int64(percentage) / 10, places: 2))")
        }
        let (state, moment) = Self.state(answering, request, store, text)
        add(strings.refundsAnsweringState, state, at: moment)
        self.facts = facts
    }

    /// Returns the state of the answer, and the moment of that state.
    private static func state(
        _ answering: RefundDetails.Answering,
        _ request: RefundRequest,
        _ store: String,
        _ text: RefundText
    ) -> (String, Date?) {
        let strings = text.strings
        switch answering.answer?.state {
        case .sending:
            guard let unanswered = answering.unanswered, unanswered.isLong(at: text.now) else {
                return (strings.refundsAnsweringSending(store: store), nil)
            }
            let when = text.moment(unanswered.since)
            return (
                strings.refundsAnsweringUnanswered(store: store, when: when, words: unanswered.words), unanswered.since
            )
        case .sent(let date): return (strings.refundsAnsweringSent(when: text.moment(date)), date)
        case .refused(_, let message): return (strings.refundsAnsweringRefused(reason: message, store: store), nil)
        case .withheld(let reason): return (sentence(reason, store, strings), nil)
        case nil: break
        }
        guard request.storeDecision == nil, let consumption = request.consumptionRequest else {
            return (strings.refundsAnsweringNothing.description, nil)
        }
        guard request.refundPreference == nil else { return (strings.refundsAnsweringSending(store: store), nil) }
        switch answering.sending {
        case .automatic: return (strings.refundsAnsweringSoon.description, nil)
        case .deadline:
            let moment = consumption.dueAt.addingTimeInterval(-ConsumptionPolicy.margin)
            return (strings.refundsAnsweringAt(when: text.moment(moment)), moment)
        }
    }

    private static func sentence(
        _ reason: ConsumptionAnswer.Withholding,
        _ store: String,
        _ strings: Strings
    ) -> String {
        switch reason {
        case .noRule: strings.refundsWithheldRule.description
        case .noConsent: strings.refundsWithheldConsent.description
        case .noPercentage: strings.refundsWithheldPercentage.description
        case .tooLate: strings.refundsWithheldLate(store: store)
        case .noKey: strings.refundsWithheldKey(store: store)
        }
    }
}
