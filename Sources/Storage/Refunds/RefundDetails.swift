package import Billing
package import Foundation

/// Everything that the pages of one refund request show: itself, its order, what speaks for and against it, and what
/// happened.
package struct RefundDetails: Sendable {
    package var request: RefundRequest
    package var order: OrderDetails
    /// The names of the people in it, by their ids.
    package var people: [Staff.ID: String]
    /// The order as a refund sees it, this request left out.
    package var refundable: RefundableOrder
    package var policy: RefundPolicy
    /// The amounts that are compared with the policy's limits if the viewer approves the full request, where we pay it.
    package var weight: ApprovalWeight
    /// The same where a store decides, by what it is told: about what it then pays back, whatever was asked for.
    package var storeWeights: [RefundPreference: ApprovalWeight] = [:]
    package var evidence: Evidence
    /// From the audit log, oldest first.
    package var history: [Step]
    /// The answer to the store; nil where it did not ask.
    package var answering: Answering?
    /// Its payment by the store; nil where people pay.
    package var payout: StoredPayout?
    /// Oldest first.
    package var payoutSteps: [StoredPayout.Step] = []
    /// The store would pay it, or pays it.
    package var isPaidByStore = false
    /// The app's account has the key with which its store is answered.
    package var hasStoreKey = true

    package init(
        request: RefundRequest,
        order: OrderDetails,
        people: [Staff.ID: String],
        refundable: RefundableOrder,
        policy: RefundPolicy,
        weight: ApprovalWeight,
        evidence: Evidence,
        history: [Step],
        answering: Answering? = nil
    ) {
        self.request = request
        self.order = order
        self.people = people
        self.refundable = refundable
        self.policy = policy
        self.weight = weight
        self.evidence = evidence
        self.history = history
        self.answering = answering
    }

    /// The amounts that are compared with the policy's limits if the viewer approves the full request, telling a store that decides for itself
    /// this.
    package func weight(telling answer: RefundPreference) -> ApprovalWeight { storeWeights[answer] ?? weight }

    /// The answer that the store asked for and has not taken yet; nil where nothing is on its way.
    package var awaited: UnansweredQuestion? {
        guard case .sending = answering?.answer?.state else { return nil }
        return answering?.unanswered
    }

    /// The answer that a store gets, or would get.
    package struct Answering: Sendable {
        /// The answer that was decided, sent or withheld; nil until then.
        package var answer: ConsumptionAnswer?
        /// The app's rule that applies now; nil where none does.
        package var match: ConsumptionMatch?
        /// The facts that the rules look at.
        package var facts: ConsumptionFacts?
        package var sending: ConsumptionPolicy.Sending
        package var consent: ConsumptionConsent?
        /// The request with an answer that the store has not taken yet.
        package var unanswered: UnansweredQuestion?

        package init(
            answer: ConsumptionAnswer?,
            match: ConsumptionMatch?,
            facts: ConsumptionFacts? = nil,
            sending: ConsumptionPolicy.Sending,
            consent: ConsumptionConsent?,
            unanswered: UnansweredQuestion? = nil
        ) {
            self.facts = facts
            self.unanswered = unanswered
            self.answer = answer
            self.match = match
            self.sending = sending
            self.consent = consent
        }
    }

    /// The facts about the customer's purchases.
    package struct Evidence: Sendable {
        /// Refunds of the customer's other orders in the two years before.
        package var refundsBefore: Int
        /// The customer's net payments in this environment, one amount for each currency.
        package var spent: [Money]
        package var orders: Int
        /// Those of them whose amount is not known yet: `spent` lacks it.
        package var ordersWithoutAmount = 0

        package init(refundsBefore: Int, spent: [Money], orders: Int) {
            self.refundsBefore = refundsBefore
            self.spent = spent
            self.orders = orders
        }
    }

    /// One entry of the audit log about the request.
    package struct Step: Sendable {
        package var id: UUID
        package var at: Date
        package var actor: String
        package var action: String
        package var reason: Personal<String>?

        package init(id: UUID, at: Date, actor: String, action: String, reason: Personal<String>?) {
            self.id = id
            self.at = at
            self.actor = actor
            self.action = action
            self.reason = reason
        }
    }
}

/// The refund part of an order's page, and what a request for one needs to know.
package struct OrderRefundDetails: Sendable {
    /// Oldest first.
    package var requests: [RefundRequest]
    package var people: [Staff.ID: String]
    package var refundable: RefundableOrder
    package var policy: RefundPolicy
    package var evidence: RefundDetails.Evidence
    /// The payments by the store, by request.
    package var payouts: [Refund.ID: StoredPayout] = [:]
    /// Their steps, oldest first.
    package var payoutSteps: [Refund.ID: [StoredPayout.Step]] = [:]

    package init(
        requests: [RefundRequest],
        people: [Staff.ID: String],
        refundable: RefundableOrder,
        policy: RefundPolicy,
        evidence: RefundDetails.Evidence
    ) {
        self.requests = requests
        self.people = people
        self.refundable = refundable
        self.policy = policy
        self.evidence = evidence
    }
}
