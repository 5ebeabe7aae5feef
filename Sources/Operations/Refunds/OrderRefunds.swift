import Billing
import Foundation
import Storage

/// The effect of a store's message on the refund requests of one of its orders, and on the order's entries.
struct OrderRefunds {
    /// The order as the store reports it, with the refunds that people booked by hand.
    let booked: BookedOrder
    /// The time of the full refund of the charge, if people gave back some or all of it; otherwise nil.
    let givenBackByHandAt: Date?
    let changes: [SubscriptionChanges.ChangedRefund]

    /// - Parameters:
    ///   - order: the stored one, with its open and processed requests.
    ///   - reported: the order as the store's messages alone have it.
    ///   - event: the message at hand; nil when it is not taken.
    init(
        _ order: StoredSubscription.StoredOrder,
        of reported: BookedOrder,
        after event: StoreEvent?,
        at now: Date
    ) throws(RefundRefused) {
        var requests = order.refunds
        let settlements = reported.settlements(
            stored: order.entries.keys,
            hand: requests.compactMap(\.bookedByHand),
            approved: requests.compactMap(\.waiting)
        )
        for settlement in settlements {
            guard let index = requests.firstIndex(where: { $0.number == settlement.number }) else { continue }
            try requests[index].settle(settlement, by: event, at: now)
        }
        if let event, reported.isCalled(event.transaction.id) {
            for index in requests.indices { try requests[index].handle(event, at: now) }
        }
        let hand = requests.compactMap(\.bookedByHand)
        booked = reported.including(hand)
        givenBackByHandAt = hand.isEmpty ? nil : booked.givenBackAt
        changes = zip(order.refunds, requests).filter { $0 != $1 }.map { before, after in
            SubscriptionChanges.ChangedRefund(before: before, after: after)
        }
    }
}

extension RefundRequest {
    fileprivate mutating func settle(
        _ settlement: RefundSettlement,
        by event: StoreEvent?,
        at now: Date
    ) throws(RefundRefused) {
        switch settlement.meaning {
        case .processes:
            let store = Act(staff: nil, actor: event?.store.rawValue ?? "store", at: now)
            if refund.status == .pending {
                // The store decided what nobody here had.
                try refund.take(.approve(refund.requested))
                decided = store
            }
            try refund.take(.process(settlement.amount))
            finished = store
            payment = Payment(payer: .store, reference: nil, storeReference: settlement.reference)
        case .confirms:
            payment?.storeReference = settlement.reference
            refund.confirm(settlement.amount)
        }
    }

    /// A consumption request of the store starts its clock; what the store decided ends what it opened, and a refund that it
    /// declined what was approved before.
    fileprivate mutating func handle(_ event: StoreEvent, at now: Date) throws(RefundRefused) {
        switch event.kind {
        case .refundRequested:
            guard concerns(event) else { return }
            consumptionRequest = ConsumptionRequest(event, after: consumptionRequest) ?? consumptionRequest
        case .refundDeclined:
            guard requested.at <= event.signedAt, refund.status == .approved || isOpenedByStore, storeDecision == nil
            else { return }
            if refund.status.isOpen {
                let store = Act(staff: nil, actor: event.store.rawValue, at: now)
                if refund.status == .pending { decided = store }
                try refund.take(.declineByStore)
                finished = store
            }
            storeDeclinedAt = event.signedAt
        case .refunded, .seatsRefunded:
            guard isOpenedByStore, requested.at <= event.signedAt, storeDecision == nil else { return }
            storeRefundedAt = event.signedAt
        default: return
        }
    }

    /// True if a consumption request is about this refund request: while it is open, and after its end for as long as the store may still
    /// be deciding and asks again.
    func concerns(_ event: StoreEvent) -> Bool {
        if refund.status.isOpen { return true }
        guard isOpenedByStore, storeDecision == nil, let consumptionRequest else { return false }
        return consumptionRequest.isRepeated(by: event)
    }
}

extension RefundRequest.ConsumptionRequest {
    /// The consumption request after a store's message: the first time counts, unless that was about another refund.
    ///
    /// - Returns: nil for a store that does not ask.
    init?(_ event: StoreEvent, after earlier: Self? = nil) {
        let earlier = earlier.flatMap { $0.isRepeated(by: event) ? $0 : nil }
        let first = min(earlier?.requestedAt ?? event.signedAt, event.signedAt)
        guard let dueAt = RefundPreference.deadline(of: event.store, askedAt: first) else { return nil }
        self.init(
            requestedAt: first,
            lastRequestedAt: max(earlier?.lastRequestedAt ?? event.signedAt, event.signedAt),
            dueAt: dueAt,
            reason: event.consumptionReason ?? earlier?.reason
        )
    }

    /// Apple asks again, each time with a new notification, and decides within days.
    fileprivate func isRepeated(by event: StoreEvent) -> Bool {
        let week: TimeInterval = 7 * 86_400
        return (-week...week).contains(event.signedAt.timeIntervalSince(requestedAt))
    }
}

extension SubscriptionChanges.ChangedRefund {
    /// A consumption request, which only starts a clock, is no change of the refund request.
    var isWorthAnEntry: Bool {
        (before.refund, before.payment) != (after.refund, after.payment) || before.storeDecision != after.storeDecision
    }

    /// The audit log's entry of a change that a store's message made.
    func entry(by store: Store, in transaction: WriteTransaction) -> AuditEntry {
        let action: AuditAction =
            switch after.refund.status {
            case .rejected where after.storeDeclinedAt != nil: .declineRefund
            case .processed where before.refund.status == .processed: .confirmRefund
            case .processed: .processRefund
            case .pending, .approved, .rejected, .cancelled, .expired: .changeRefund
            }
        return Caller.store(store).entry(
            action,
            on: "refund",
            after.number,
            app: after.app,
            before: before.auditText(in: transaction),
            after: after.auditText(in: transaction)
        )
    }
}

extension RefundRequest {
    /// Its form in the audit log: amounts as decimals next to their currency.
    func auditText(in transaction: WriteTransaction) -> String {
        AuditJSON([
            ("status", refund.status.rawValue), ("kind", refund.kind.rawValue),
            ("currency", refund.requested.currency.code), ("requestedAmount", refund.requested.decimalText),
            ("approvedAmount", refund.approved?.decimalText), ("processedAmount", refund.processed?.decimalText),
            ("refundPreference", refundPreference?.rawValue), ("payer", payment?.payer.rawValue),
            ("paymentReference", payment?.reference?.kept(in: transaction)),
            ("consumptionReason", consumptionRequest?.reason?.rawValue), ("storeDecision", storeDecision?.word),
        ]).text
    }
}
