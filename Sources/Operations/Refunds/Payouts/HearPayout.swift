import Billing
import Foundation
import Storage

/// A store's word about a refund that cannot be of the payout it names.
struct PayoutDisputed: Error {
    /// For staff.
    var message: String
}

extension BackOffice {
    /// Takes over what a store says of a payout. When it has paid, the books say so in the same transaction: the ledger's entry, the order's
    /// status and amount, the request, and the access of what was given back.
    ///
    /// - Returns: the payout as it is now; nil where there is none.
    /// - Throws: `PayoutDisputed` for another amount.
    func hear(
        _ standing: StoreRefundStanding,
        of refund: Refund.ID,
        in transaction: WriteTransaction
    ) async throws -> StoredPayout? {
        guard let (order, request) = try await transaction.payouts.request(refund),
            let before = try await transaction.payouts.find(refund)
        else { return nil }
        var payout = before
        if let amount = standing.amount, amount != payout.amount {
            throw PayoutDisputed(
                message:
                    "\(order.store.rawValue) tells of \(amount) for \(request.number), which is of \(payout.amount)."
            )
        }
        // An answer that was on its way when the store was asked for another account is about the time before that.
        let isLate = standing.state == .abnormal && before.isBeingSettled(at: transaction.now)
        let isNews = isLate ? false : payout.payout.hear(standing.state)
        payout.storeID = standing.storeID ?? payout.storeID
        payout.askedAt = transaction.now
        payout.unpaidSince = nil
        if isNews { (payout.words, payout.obstacle) = (nil, nil) }
        if isNews, payout.sentAt == nil { payout.sentAt = transaction.now }
        if isNews, payout.payout.state == .paid {
            payout.paidAt = min(standing.succeededAt ?? transaction.now, transaction.now)
            try await transaction.payouts.save(payout, after: before)
            try await book(payout, of: request, in: order, transaction)
        } else {
            try await transaction.payouts.save(payout, after: before)
        }
        return payout
    }

    private func book(
        _ payout: StoredPayout,
        of request: RefundRequest,
        in order: LockedOrder,
        _ transaction: WriteTransaction
    ) async throws {
        if request.refund.status == .approved {
            let reference = payout.storeID ?? payout.number
            return try await process(request, payout.amount, of: order, called: reference, known: nil, in: transaction)
        }
        // A request marked as paid by the store is the same money. Whatever else was done, the store has paid as well.
        guard request.refund.status != .processed || request.payment?.payer != .store else { return }
        try await bookUnasked(payout.amount, of: order, numbered: payout.number, payout.storeID, in: transaction)
    }

    /// Books a request as paid by its store.
    ///
    /// - Parameters:
    ///   - reference: the store's number of it.
    ///   - known: the name by which the same message is known again; nil where the payout's state tells that.
    func process(
        _ request: RefundRequest,
        _ amount: Money,
        of order: LockedOrder,
        called reference: String,
        known: String?,
        in transaction: WriteTransaction
    ) async throws {
        let before = request
        var request = request
        try request.refund.take(.process(amount))
        request.finished = RefundRequest.Act(staff: nil, actor: order.store.rawValue, at: transaction.now)
        request.payment = RefundRequest.Payment(payer: .store, reference: Personal(reference), storeReference: known)
        try await transaction.refunds.save(request)
        let held = try await heldPeriods(beside: order, in: transaction)
        if let booked = request.bookedByHand { try await transaction.refunds.book(booked, of: order, app: request.app) }
        _ = try await transaction.audit.append(
            Caller.store(order.store).entry(
                .processRefund,
                on: "refund",
                request.number,
                app: request.app,
                before: before.auditText(in: transaction),
                after: request.auditText(in: transaction)
            )
        )
        try await takeBack(order, after: amount, request.number, held, app: request.app, in: transaction)
    }
}
