import Billing
import Foundation
import Storage

/// What a store's message means for the refund requests of one of its orders, and for the order's books.
struct OrderRefunds {
    /// The order as the store tells it, with what people booked by hand.
    let booked: BookedOrder
    /// Since when the charge is given back in full, where people gave back some or all of it; else nil.
    let givenBackByHandAt: Date?
    let changes: [SubscriptionChanges.ChangedRefund]

    /// - Parameters:
    ///   - order: as it is stored, with its open and processed requests.
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
        if let event, event.transaction.id == reported.transactionID {
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
            try refund.take(.process(settlement.amount))
            finished = Act(staff: nil, actor: event?.store.rawValue ?? "store", at: now)
            payment = Payment(payer: .store, reference: nil, storeReference: settlement.reference)
        case .confirms:
            payment?.storeReference = settlement.reference
            refund.confirm(settlement.amount)
        }
    }

    /// A consumption request of the store starts its clock; a refund that it declined ends what was approved before.
    fileprivate mutating func handle(_ event: StoreEvent, at now: Date) throws(RefundRefused) {
        switch event.kind {
        case .refundRequested:
            guard refund.status.isOpen, consumptionRequest?.requestedAt ?? .distantPast < event.signedAt,
                let dueAt = RefundPreference.deadline(of: event.store, askedAt: event.signedAt)
            else { return }
            consumptionRequest = ConsumptionRequest(requestedAt: event.signedAt, dueAt: dueAt)
        case .refundDeclined:
            guard refund.status == .approved, requested.at <= event.signedAt else { return }
            try refund.take(.declineByStore)
            finished = Act(staff: nil, actor: event.store.rawValue, at: now)
            storeDeclinedAt = event.signedAt
        default: return
        }
    }
}

extension SubscriptionChanges.ChangedRefund {
    /// A consumption request, which only starts a clock, is no change of the refund request.
    var isWorthAnEntry: Bool { (before.refund, before.payment) != (after.refund, after.payment) }

    /// The audit log's entry of a change that a store's message made.
    func entry(by store: Store, in transaction: WriteTransaction) -> AuditEntry {
        let action: AuditAction =
            switch after.refund.status {
            case .rejected: .declineRefund
            case .processed where before.refund.status == .processed: .confirmRefund
            case .processed: .processRefund
            case .pending, .approved, .cancelled, .expired: .changeRefund
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
        ]).text
    }
}
