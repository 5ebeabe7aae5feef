package import Billing
import Foundation
import Gateways
import Logging
import Storage

extension BackOffice {
    /// Takes over a store's message about a refund of one of our orders, however often it comes. One that we asked for is applied to its
    /// payout; one that nobody asked for through us is booked as the store's refund of the order.
    ///
    /// - Throws: `OperationsError` with `.overloaded` where the store has to be asked for the amount and does not answer; the database's
    ///   error, and then nothing has changed.
    package func settle(
        _ notice: StoreRefundNotice,
        at store: Store,
        of app: App.ID
    ) async throws -> PaymentSettlement {
        guard let account = try await apps.entry(for: app)?.accounts[store] else {
            return dispute(notice, store, "The app has no account at \(store.rawValue) any more.")
        }
        if let merchant = notice.merchantID, !account.isCalled(merchant) {
            return dispute(notice, store, "The merchant \(merchant) paid it, which is not ours.")
        }
        do {
            if let settled = try await applyToPayout(notice, at: store, of: app) { return settled }
            // Of what nobody asked for through us only the end is booked.
            guard notice.standing.state == .succeeded else { return .known }
            try await settleOrder(of: notice, at: store, of: app)
            guard let amount = try await amount(of: notice, at: store, app) else {
                return dispute(
                    notice,
                    store,
                    "The store does not say how much of \(notice.transactionID) it gave back."
                )
            }
            return try await database.write(lockTimeout: .seconds(5)) { transaction in
                let result = try await bookUnasked(notice, amount, at: store, of: app, in: transaction)
                if result == .settled {
                    try await transaction.checkouts.knowRefund(ofPayment: notice.transactionID, at: store, of: app)
                }
                return result
            }
        } catch let disputed as PayoutDisputed {
            return dispute(notice, store, disputed.message)
        }
    }

    /// Settles the payment that was given back, where its own message has not come yet: a payment that is settled later would give access
    /// for money that is back.
    private func settleOrder(of notice: StoreRefundNotice, at store: Store, of app: App.ID) async throws {
        let found = try await database.readPrimary { try await $0.checkout(notice.orderNumber, of: app) }
        guard let checkout = found?.checkout, checkout.store == store, checkout.state != .paid else { return }
        let server = try await checkoutServer(of: app, at: store).server
        let standing: CheckoutStanding
        do throws(StoreFailure) {
            standing = try await server.standing(of: checkout.number)
        } catch {
            throw OperationsError(.overloaded, error.message, underlying: error)
        }
        switch standing {
        case .paid(let payment), .closed(let payment?): _ = try await settle(payment, at: store, of: app)
        case .closed(nil), .unknown, .open, .paying: return
        }
    }

    /// - Returns: nil where it has no number of ours.
    private func applyToPayout(
        _ notice: StoreRefundNotice,
        at store: Store,
        of app: App.ID
    ) async throws -> PaymentSettlement? {
        guard let number = notice.number else { return nil }
        return try await database.write(lockTimeout: .seconds(5)) { transaction -> PaymentSettlement? in
            guard let found = try await transaction.payouts.request(numbered: number, at: store, of: app),
                let before = try await transaction.payouts.find(found.request.id)
            else { return nil }
            guard before.transactionID == notice.transactionID else {
                throw PayoutDisputed(
                    message: "\(number) gives \(before.transactionID) back; the store tells of \(notice.transactionID)."
                )
            }
            let after = try await hear(notice.standing, of: before.refund, in: transaction)
            return after?.payout == before.payout ? .known : .settled
        }
    }

    private func amount(of notice: StoreRefundNotice, at store: Store, _ app: App.ID) async throws -> Money? {
        if let amount = notice.standing.amount { return amount }
        guard let number = notice.number, let server = try await refundServer(of: app, at: store) else { return nil }
        let environment = try await checkoutEnvironment(of: app, at: store)
        let total = try await database.write { transaction in
            try await transaction.payouts.order(paidBy: notice.transactionID, at: store, environment, of: app)?.amount
        }
        guard let total else { return nil }
        do throws(StoreFailure) {
            let standing = try await server.standing(
                of: StoreRefund(
                    number: number,
                    orderNumber: notice.orderNumber,
                    transactionID: notice.transactionID,
                    amount: total,
                    total: total,
                    reason: ""
                )
            )
            return standing?.amount
        } catch {
            guard error.refusal == nil else { return nil }
            throw OperationsError(.overloaded, error.message, underlying: error)
        }
    }

    private func bookUnasked(
        _ notice: StoreRefundNotice,
        _ amount: Money,
        at store: Store,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws -> PaymentSettlement {
        let environment = try await checkoutEnvironment(of: app, at: store)
        let paid = try await transaction.payouts.order(
            paidBy: notice.transactionID,
            at: store,
            environment,
            of: app
        )
        guard let order = paid else {
            throw PayoutDisputed(message: "There is no order of the payment \(notice.transactionID).")
        }
        let moment = notice.standing.succeededAt.map { String($0.milliseconds) } ?? ""
        let number = notice.number ?? notice.standing.storeID ?? "\(notice.transactionID) \(moment)"
        let known = StoredPayout.reference(of: number)
        // All of a payment that was found when it was back already (`giveBack`) is each refund of it.
        let whole = StoredPayout.reference(of: StoredPayout.number(ofAllOf: notice.transactionID))
        let references = order.requests.compactMap { $0.payment?.storeReference }
        if references.contains(known) || references.contains(whole) { return .known }
        guard amount.currency == order.amount.currency, amount.minorUnits > 0 else {
            throw PayoutDisputed(message: "The store gave \(amount) back of an order of \(order.amount).")
        }
        if let request = try await marked(order, amount, in: transaction) {
            var request = request
            request.payment?.storeReference = known
            request.refund.confirm(amount)
            try await transaction.refunds.save(request)
            return .settled
        }
        let reference = notice.standing.storeID ?? number
        if let request = try await waiting(order, amount, in: transaction) {
            try await withdrawPayout(of: request, if: \.allowsPayingByHand, in: transaction)
            try await process(request, amount, of: order, called: reference, known: known, in: transaction)
            return .settled
        }
        try await bookUnasked(amount, of: order, numbered: number, notice.standing.storeID, in: transaction)
        return .settled
    }

    /// The request that a person had marked as paid by the store, of exactly this amount.
    private func marked(
        _ order: LockedOrder,
        _ amount: Money,
        in transaction: WriteTransaction
    ) async throws -> RefundRequest? {
        for request in order.requests
        where request.refund.processed == amount && request.payment?.payer == .store
            && request.payment?.storeReference == nil
        {
            // A payment under a number of ours is known by that number.
            if try await transaction.payouts.find(request.id)?.payout.state != .paid { return request }
        }
        return nil
    }

    /// The approved request of exactly this amount that nobody has sent, or that the store has given up.
    private func waiting(
        _ order: LockedOrder,
        _ amount: Money,
        in transaction: WriteTransaction
    ) async throws -> RefundRequest? {
        for request in order.requests where request.refund.status == .approved && request.refund.approved == amount {
            guard let payout = try await transaction.payouts.find(request.id) else { return request }
            if payout.payout.state.allowsPayingByHand { return request }
        }
        return nil
    }

    /// Books a refund that nobody asked for through us, as a request that the store has made and paid.
    func bookUnasked(
        _ amount: Money,
        of order: LockedOrder,
        numbered number: String,
        _ storeID: String?,
        in transaction: WriteTransaction
    ) async throws {
        guard let app = try await transaction.payouts.app(of: order.id) else { return }
        let left = order.amount.minorUnits.minus(order.refunded.minorUnits).minus(order.credited.minorUnits)
        var request = RefundRequest(
            id: Refund.ID(transaction.newUUID()),
            app: app,
            order: order.id,
            number: try await transaction.refunds.nextNumber(of: app).description,
            refund: Refund(kind: amount.minorUnits == left ? .full : .partial, requested: amount),
            reasonCategory: Reason.Category.other.rawValue,
            reason: Personal("The store told of it; nobody here had asked for it."),
            internalNote: nil,
            requested: RefundRequest.Act(staff: nil, actor: order.store.rawValue, at: transaction.now),
            expiresAt: nil
        )
        try await transaction.refunds.insert(request)
        try request.refund.take(.approve(amount))
        request.decided = request.requested
        if try await transaction.payouts.isFree(number, at: order.store, of: app) {
            try await transaction.payouts.insert(
                StoredPayout(
                    refund: request.id,
                    app: app,
                    store: order.store,
                    number: number,
                    orderNumber: try await transaction.payouts.names(of: order.id)?.number ?? order.transactionID,
                    transactionID: order.transactionID,
                    amount: amount,
                    total: Money(
                        minorUnits: max(order.amount.minorUnits, amount.minorUnits),
                        currency: amount.currency
                    ),
                    revokes: false,
                    isRequested: false,
                    payout: RefundPayout(.paid),
                    storeID: storeID,
                    createdAt: transaction.now,
                    paidAt: transaction.now
                )
            )
        }
        let known = StoredPayout.reference(of: number)
        try await process(request, amount, of: order, called: storeID ?? number, known: known, in: transaction)
    }

    private func dispute(_ notice: StoreRefundNotice, _ store: Store, _ problem: String) -> PaymentSettlement {
        logger.warning(
            "a refund that is not of its order",
            metadata: ["store": "\(store.rawValue)", "number": "\(notice.number ?? notice.transactionID)"]
        )
        return .disputed(problem)
    }
}

extension StoredPayout {
    /// The name by which a store's message about a refund that was not sent by us is known again.
    static func reference(of number: String) -> String { "payout:\(number)" }

    /// The number of all refunds of a payment together, of which the store told no single one.
    static func number(ofAllOf transactionID: String) -> String { "\(transactionID) all" }
}
