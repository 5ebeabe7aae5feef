package import Billing
package import Foundation

/// The course of our answer to a store that decides about a refund, read from the state that decides it: the store's question, the
/// decision of staff, the customer's consent and the answer itself. Every page that tells what comes next of a refund case reads it here.
package enum AnswerProspect: Sendable, Hashable {
    /// The store has not asked: it does when the customer asks it for the money.
    case notAsked
    /// The app's rules answer at this time, unless staff decide before.
    case byRules(at: Date)
    /// A worker sends it, again and again until the store takes or refuses it.
    case sending
    /// The store has it, and decides.
    case sent(at: Date)
    /// The store did not take it, in its words.
    case refused(String)
    /// Nothing is sent as things are. The store waits until then.
    case blocked(ConsumptionAnswer.Withholding, until: Date)
    /// Nothing was sent, and the store waits no longer.
    case lapsed(ConsumptionAnswer.Withholding)
    /// The store has decided, or the request has ended: nobody waits for an answer.
    case over

    /// The reason why nothing is sent as things are; nil where something is, was, or can no longer be sent.
    package var obstacle: ConsumptionAnswer.Withholding? {
        if case .blocked(let reason, _) = self { reason } else { nil }
    }
}

/// Everything that decides what becomes of our answer to a store.
package struct AnswerCircumstances: Sendable {
    /// True while the store still takes an answer: it has not decided, and the request has not ended.
    package var isAnswerable: Bool
    /// nil where the store has not asked.
    package var question: RefundRequest.ConsumptionRequest?
    /// The decision of staff; nil for none.
    package var preference: RefundPreference?
    package var answer: Answer?
    package var isConsented: Bool
    /// The store takes no answer without consent.
    package var needsConsent: Bool
    /// The app's account has the key with which the store is answered.
    package var hasKey: Bool
    package var sending: ConsumptionPolicy.Sending
    /// The app's rule that applies now; nil where none does.
    package var match: ConsumptionMatch?
    package var facts: ConsumptionFacts?

    /// The answer that was last decided.
    package struct Answer: Sendable {
        package var state: ConsumptionAnswer.State
        package var preference: RefundPreference?

        package init(state: ConsumptionAnswer.State, preference: RefundPreference?) {
            (self.state, self.preference) = (state, preference)
        }
    }

    package init(
        isAnswerable: Bool,
        question: RefundRequest.ConsumptionRequest?,
        preference: RefundPreference?,
        answer: Answer?,
        isConsented: Bool,
        needsConsent: Bool,
        hasKey: Bool,
        sending: ConsumptionPolicy.Sending,
        match: ConsumptionMatch?,
        facts: ConsumptionFacts?
    ) {
        (self.isAnswerable, self.question, self.preference) = (isAnswerable, question, preference)
        (self.answer, self.isConsented, self.needsConsent) = (answer, isConsented, needsConsent)
        (self.hasKey, self.sending, self.match, self.facts) = (hasKey, sending, match, facts)
    }

    package func prospect(at now: Date) -> AnswerProspect {
        guard isAnswerable else { return .over }
        guard let question else { return .notAsked }
        let isAnswered = preference == nil || preference == answer?.preference
        switch answer?.state {
        case .sent(let date) where isAnswered: return .sent(at: date)
        case .refused(_, let words) where isAnswered: return .refused(words)
        case .sending, .sent, .refused, .withheld, nil: break
        }
        if let reason = withholding(isAnswered: isAnswered) {
            // An answer that was already sent stands.
            if case .sent(let date) = answer?.state { return .sent(at: date) }
            return now < question.dueAt ? .blocked(reason, until: question.dueAt) : .lapsed(reason)
        }
        guard now < question.dueAt else { return .lapsed(.tooLate) }
        if case .sending = answer?.state { return .sending }
        guard preference == nil else { return .sending }
        return .byRules(
            at: ConsumptionPolicy(sending: sending).answersAt(question.dueAt, askedAt: question.requestedAt)
        )
    }

    /// The reason why nothing is sent, in the order in which a worker looks at them (`BackOffice.answerStore`).
    private func withholding(isAnswered: Bool) -> ConsumptionAnswer.Withholding? {
        if case .withheld(let reason) = answer?.state, isAnswered {
            switch reason {
            // Nobody sends these again, whatever has changed.
            case .noRule, .noPercentage, .tooLate, .noKey: return reason
            // Consent has the answer sent.
            case .noConsent: break
            }
        }
        guard let preference = preference ?? match?.rule.answer else { return .noRule }
        if needsConsent, !isConsented { return .noConsent }
        if isConsented, let facts {
            do throws(RefundRefused) {
                _ = try facts.percentage(
                    with: preference,
                    rule: self.preference == nil ? match?.rule.consumptionPercentage : nil
                )
            } catch {
                return .noPercentage
            }
        }
        return hasKey ? nil : .noKey
    }
}

extension RefundRequest {
    /// True if its store still takes an answer.
    package var isAnswerable: Bool {
        guard storeDecision == nil else { return false }
        return switch refund.status {
        case .pending, .approved, .rejected: true
        case .processed, .cancelled, .expired: false
        }
    }
}

extension RefundDetails {
    /// The course of our answer; nil for a store that does not decide about this refund.
    ///
    /// - Parameter decision: for what becomes of it once staff decide so; nil for the present.
    package func prospect(deciding decision: RefundPreference? = nil, at now: Date) -> AnswerProspect? {
        guard request.isDecided(by: order.order.store) else { return nil }
        return AnswerCircumstances(
            isAnswerable: request.isAnswerable,
            question: request.consumptionRequest,
            preference: decision ?? request.refundPreference,
            answer: answering?.answer.map { .init(state: $0.state, preference: $0.preference) },
            isConsented: answering?.consent?.isGiven == true,
            needsConsent: order.order.store.rules.refundAnswersNeedConsent,
            hasKey: hasStoreKey,
            sending: answering?.sending ?? .deadline,
            match: answering?.match,
            facts: answering?.facts
        ).prospect(at: now)
    }
}
