package import Billing
import Crypto
import Foundation
import Logging
import Storage

/// The result of hearing of a payment.
package enum PaymentSettlement: Sendable, Hashable {
    /// The customer has what was paid for, and the books say so.
    case settled
    /// It was settled before; nothing changed.
    case known
    /// It cannot be a payment of one of our orders, for this reason. Nothing was granted; people have to look at it.
    case disputed(String)
}

extension BackOffice {
    /// Settles a payment of one of our orders, by a store's verified message or by its answer to a query, whichever comes first and however
    /// often: the order is paid, and subscription, order and ledger follow in the same transaction.
    ///
    /// A payment is honoured whatever has become of the order and its customer: after it expired or was replaced, and where another one was
    /// paid as well. It then begins after what is held (`PaidPeriod`).
    ///
    /// - Parameter isFound: it was found by asking, and no message may come of what was given back of it: that is booked with it.
    /// - Throws: the database's error, and then nothing has changed.
    package func settle(
        _ payment: StorePayment,
        at store: Store,
        of app: App.ID,
        isFound: Bool = false
    ) async throws -> PaymentSettlement {
        let found = try await database.readPrimary { try await $0.checkout(payment.number, of: app) }
        guard let checkout = found?.checkout, checkout.store == store else {
            logger.warning(
                "a payment of an unknown order",
                metadata: ["store": "\(store.rawValue)", "number": "\(payment.number)"]
            )
            return .disputed("There is no order of the number \(payment.number).")
        }
        let account = try await apps.entry(for: app)?.accounts[store]
        if let problem = payment.difference(from: checkout, account) { return try await dispute(checkout, problem) }
        do {
            let result = try await database.write(lockTimeout: .seconds(5)) { transaction in
                let result = try await settle(payment, of: checkout, in: transaction)
                if isFound, result == .settled, payment.isRefunded {
                    try await giveBack(payment, of: checkout, in: transaction)
                }
                return result
            }
            pulse.worked()
            return result
        } catch let refused as TransitionRefused {
            return try await dispute(checkout, refused.message)
        } catch is OrderIsElsewhere {
            return try await dispute(checkout, "The store's payment \(payment.transactionID) is of another order.")
        }
    }

    /// Settles a payment that is of the order, within a transaction.
    func settle(
        _ payment: StorePayment,
        of told: Checkout,
        in transaction: WriteTransaction
    ) async throws -> PaymentSettlement {
        let app = told.app
        guard let party = try await transaction.customers.lock([told.customer], of: app)[told.customer] else {
            throw OperationsError(.notFound, "The app has no such customer.")
        }
        let customer = party.id
        try await transaction.checkouts.lockSubscriptions(of: customer)
        guard let checkout = try await transaction.checkouts.find(told.number, of: app) else {
            throw OperationsError(.notFound, "There is no such order.")
        }
        if let known = checkout.transactionID {
            guard known != payment.transactionID else { return .known }
            let problem = "It is paid by \(known); the store tells of another payment, \(payment.transactionID)."
            return try await dispute(checkout, problem, in: transaction)
        }
        guard let zone = try await apps.entry(for: app)?.timeZone else {
            throw OperationsError(.notFound, "There is no such app.")
        }
        // No purchase of the future: the store's clock may be ahead of ours.
        let paidAt = min(payment.paidAt, transaction.now)
        let held = try await transaction.checkouts.held(
            by: customer,
            of: app,
            in: checkout.environment,
            after: paidAt
        )
        let chains = try await transaction.checkouts.chains(
            of: customer,
            at: checkout.store,
            checkout.environment,
            of: app
        )
        let settled = SettledPurchase(
            of: checkout,
            payment: payment.transactionID,
            at: paidAt,
            holding: held,
            among: chains,
            by: try await transaction.checkouts.accountToken(of: customer, app: app),
            in: zone
        )
        for event in settled.events {
            if case .refused(let reason) = try await apply(
                IncomingEvent(app: app, event: event, origin: .checkout),
                in: transaction
            ) {
                throw reason
            }
        }
        guard
            try await transaction.checkouts.keep(
                settled.credits,
                forPayment: payment.transactionID,
                at: checkout.store,
                checkout.environment,
                of: app
            ),
            let subscription = try await transaction.checkouts.subscription(
                named: settled.originalTransactionID,
                at: checkout.store,
                checkout.environment,
                of: app
            )
        else { throw OperationsError(.conflict, "The subscription of a payment is missing.") }
        // Nothing of a person is kept of whoever was deleted.
        var kept = payment
        if party.isDeleted { (kept.payer, kept.bank) = (nil, nil) }
        try await transaction.checkouts.paid(
            checkout.id,
            by: kept,
            at: paidAt,
            payerHash: kept.payer.map { Array(SHA256.hash(data: Data($0.revealed.utf8))) },
            payerMask: kept.payer.map { Personal(PayerMask.text(of: $0.revealed)) },
            for: subscription
        )
        if settled.isBesideTheEndless {
            _ = try await dispute(checkout, Self.besideTheEndless, in: transaction)
        }
        return .settled
    }

    private static let besideTheEndless =
        "It is booked, and its customer owns the plan or a higher one for ever already. Offer the money back."

    private func dispute(_ checkout: Checkout, _ problem: String) async throws -> PaymentSettlement {
        try await database.write { try await dispute(checkout, problem, in: $0) }
    }

    /// Has people look at an order; the same problem once.
    private func dispute(
        _ checkout: Checkout,
        _ problem: String,
        in transaction: WriteTransaction
    ) async throws -> PaymentSettlement {
        if try await transaction.checkouts.note(problem, about: checkout.id) {
            logger.warning(
                "a payment that is not of its order",
                metadata: ["store": "\(checkout.store.rawValue)", "number": "\(checkout.number)"]
            )
        }
        return .disputed(problem)
    }
}

extension StorePayment {
    /// The reason that it cannot be a payment of an order, in a sentence for staff; nil if it is one.
    fileprivate func difference(from checkout: Checkout, _ account: StoreAccount?) -> String? {
        guard let account else { return "The app has no account at \(checkout.store.rawValue) any more." }
        if let merchantID, !account.isCalled(merchantID) {
            return "The merchant \(merchantID) was paid, which is not ours."
        }
        if let appID, !account.isCalled(appID) { return "It was paid in the app \(appID), which is not ours." }
        guard amount == checkout.amount else {
            return "\(amount.description) was paid; the order is of \(checkout.amount.description)."
        }
        guard !transactionID.isEmpty, transactionID.utf8.count <= StoreEvent.longestIdentifier,
            !transactionID.utf8.contains(0)
        else { return "The store's number of the payment cannot be kept." }
        guard StoreEvent.possibleDates.contains(paidAt) else { return "It was paid in no possible year." }
        return nil
    }
}
