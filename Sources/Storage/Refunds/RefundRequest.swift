package import Billing
package import Foundation

/// A refund request as it is stored (readmigo, part 4, "RefundRequest").
package struct RefundRequest: Sendable, Hashable {
    package var id: Refund.ID
    package var app: App.ID
    package var order: Order.ID
    /// `RF-000001`
    package var number: String
    /// Kind, status and amounts.
    package var refund: Refund
    package var reasonCategory: String
    package var reason: Personal<String>
    package var internalNote: Personal<String>?
    package var requested: Act
    /// The store made it by asking; nobody here requested it.
    package var isOpenedByStore: Bool
    package var decided: Act?
    package var selfApproved: Bool
    /// The end of it, whichever it was.
    package var finished: Act?
    package var refundPreference: RefundPreference?
    /// The amount that a store that decides for itself was expected to pay back when it was approved: the limits of approvals count it. nil of what
    /// we pay, and of what an earlier version approved.
    package var payback: Money?
    package var consumptionRequest: ConsumptionRequest?
    package var storeDeclinedAt: Date?
    /// The store gave money back, whatever was decided here.
    package var storeRefundedAt: Date?
    package var payment: Payment?
    package var expiresAt: Date?
    /// Counts changes from 1; a form that was shown an earlier one is stale.
    package var version: Int

    package init(
        id: Refund.ID,
        app: App.ID,
        order: Order.ID,
        number: String,
        refund: Refund,
        reasonCategory: String,
        reason: Personal<String>,
        internalNote: Personal<String>?,
        requested: Act,
        isOpenedByStore: Bool = false,
        decided: Act? = nil,
        selfApproved: Bool = false,
        finished: Act? = nil,
        refundPreference: RefundPreference? = nil,
        payback: Money? = nil,
        consumptionRequest: ConsumptionRequest? = nil,
        storeDeclinedAt: Date? = nil,
        storeRefundedAt: Date? = nil,
        payment: Payment? = nil,
        expiresAt: Date?,
        version: Int = 1
    ) {
        self.id = id
        self.app = app
        self.order = order
        self.number = number
        self.refund = refund
        self.reasonCategory = reasonCategory
        self.reason = reason
        self.internalNote = internalNote
        self.requested = requested
        self.isOpenedByStore = isOpenedByStore
        self.decided = decided
        self.selfApproved = selfApproved
        self.finished = finished
        self.refundPreference = refundPreference
        self.payback = payback
        self.consumptionRequest = consumptionRequest
        self.storeDeclinedAt = storeDeclinedAt
        self.storeRefundedAt = storeRefundedAt
        self.payment = payment
        self.expiresAt = expiresAt
        self.version = version
    }

    /// The person, the time and the reason of an action.
    package struct Act: Sendable, Hashable {
        /// nil for a store, a job or the command line.
        package var staff: Staff.ID?
        /// The name as it was then.
        package var actor: String
        package var at: Date
        package var reason: Personal<String>?

        package init(staff: Staff.ID?, actor: String, at: Date, reason: Personal<String>? = nil) {
            self.staff = staff
            self.actor = actor
            self.at = at
            self.reason = reason
        }
    }

    /// True if the store decides about it and pays it: it decides about all of its refunds, or asked about this one.
    package func isDecided(by store: Store) -> Bool { store.rules.decidesRefunds || isOpenedByStore }

    /// That the store asked what we think of a refund.
    package struct ConsumptionRequest: Sendable, Hashable {
        /// The first time, which starts the clock.
        package var requestedAt: Date
        /// The last time: until then the store waited.
        package var lastRequestedAt: Date
        package var dueAt: Date
        package var reason: ConsumptionReason?

        package init(
            requestedAt: Date,
            lastRequestedAt: Date? = nil,
            dueAt: Date,
            reason: ConsumptionReason? = nil
        ) {
            self.requestedAt = requestedAt
            self.lastRequestedAt = max(requestedAt, lastRequestedAt ?? requestedAt)
            self.dueAt = dueAt
            self.reason = reason
        }
    }

    /// The way in which the money was returned.
    package struct Payment: Sendable, Hashable {
        package var payer: RefundPayer
        /// The number of the transfer or the store's own number of the refund, as somebody typed it: a name may stand
        /// there.
        package var reference: Personal<String>?
        /// The ledger's own name of the refund that the store reported; nil until it has.
        package var storeReference: String?

        package init(payer: RefundPayer, reference: Personal<String>?, storeReference: String?) {
            self.payer = payer
            self.reference = reference
            self.storeReference = storeReference
        }
    }
}

extension RefundRequest {
    /// The refund that a person marked as done, for the books; nil for any other.
    package var bookedByHand: ManualRefund? {
        guard let payment, payment.reference != nil, let processed = refund.processed, let finished else { return nil }
        return ManualRefund(
            number: number,
            amount: processed,
            bookedAt: finished.at,
            payer: payment.payer,
            confirmedBy: payment.storeReference
        )
    }

    /// The refund that waits for its money: an approval, or a request that the customer made at the store; nil for any other.
    package var waiting: ApprovedRefund? {
        guard refund.status == .approved || refund.status == .pending && isOpenedByStore else { return nil }
        return ApprovedRefund(number: number, amount: refund.approved ?? refund.requested, requestedAt: requested.at)
    }

    /// The decision of the store that opened it; nil until then.
    package var storeDecision: StoreDecision? {
        if let storeRefundedAt { return .refunded(at: storeRefundedAt) }
        return storeDeclinedAt.map { .declined(at: $0) }
    }

    package enum StoreDecision: Sendable, Hashable {
        case refunded(at: Date)
        case declined(at: Date)

        package var at: Date {
            switch self {
            case .refunded(let date), .declined(let date): date
            }
        }

        /// For programs.
        package var word: String {
            switch self {
            case .refunded: "REFUNDED"
            case .declined: "DECLINED"
            }
        }
    }
}
