import Billing
import Foundation
import HTTP
import Storage
import Words

/// The answer to a store that asked about a refund, as facts.
struct StoreAnswerText {
    let facts: [ActionPage.Fact]

    /// - Parameter prospect: the course that it takes; nil for a store that does not decide.
    init(
        _ answering: RefundDetails.Answering,
        _ prospect: AnswerProspect?,
        to request: RefundRequest,
        at store: String,
        _ text: RefundText
    ) {
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
        let (state, moment) = Self.state(answering, prospect, store, text)
        add(strings.refundsAnsweringState, state, at: moment)
        self.facts = facts
    }

    /// Returns the state of the answer, and the moment of that state.
    private static func state(
        _ answering: RefundDetails.Answering,
        _ prospect: AnswerProspect?,
        _ store: String,
        _ text: RefundText
    ) -> (String, Date?) {
        let strings = text.strings
        switch prospect {
        case .byRules(let date):
            return date > text.now
                ? (strings.refundsAnsweringAt(when: text.moment(date)), date)
                : (strings.refundsAnsweringSoon.description, nil)
        case .sending:
            guard let unanswered = answering.unanswered, unanswered.isLong(at: text.now) else {
                return (strings.refundsAnsweringSending(store: store), nil)
            }
            let when = text.moment(unanswered.since)
            return (
                strings.refundsAnsweringUnanswered(store: store, when: when, words: unanswered.words), unanswered.since
            )
        case .blocked(let reason, _), .lapsed(let reason):
            return (strings.refundsAnsweringWithheld(reason: text.clause(reason, store)), nil)
        case .sent, .refused, .notAsked, .over, nil: break
        }
        switch answering.answer?.state {
        case .sent(let date): return (strings.refundsAnsweringSent(when: text.moment(date)), date)
        case .refused(_, let message): return (strings.refundsAnsweringRefused(reason: message, store: store), nil)
        case .withheld(let reason):
            return (strings.refundsAnsweringWithheld(reason: text.clause(reason, store)), nil)
        case .sending, nil: return (strings.refundsAnsweringNothing.description, nil)
        }
    }
}
