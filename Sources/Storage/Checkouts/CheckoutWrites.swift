package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var checkouts: CheckoutWrites { CheckoutWrites(transaction: self) }
}

/// An order to be kept before its store is asked.
package struct NewCheckout: Sendable {
    package var id: Checkout.ID
    package var app: App.ID
    package var customer: Customer.ID
    package var product: ProductRecord.ID
    package var environment: StoreEnvironment
    package var method: CheckoutMethod
    package var number: String
    /// 1 to 127 characters.
    package var description: String
    /// SHA-256 of what was agreed on.
    package var basis: [UInt8]
    package var purchase: PeriodPurchase
    package var expiresAt: Date
    /// The page that the customer comes from.
    package var returnURL: String?
    /// The address for the store's messages.
    package var notificationURL: String
    /// The address of the customer's device, where the store is told it.
    package var clientAddress: Personal<String>?

    package init(
        id: Checkout.ID,
        app: App.ID,
        customer: Customer.ID,
        product: ProductRecord.ID,
        environment: StoreEnvironment,
        method: CheckoutMethod,
        number: String,
        description: String,
        basis: [UInt8],
        purchase: PeriodPurchase,
        expiresAt: Date,
        returnURL: String? = nil,
        notificationURL: String,
        clientAddress: Personal<String>? = nil
    ) {
        (self.id, self.app, self.customer, self.product) = (id, app, customer, product)
        (self.environment, self.method, self.number) = (environment, method, number)
        (self.description, self.basis) = (description, basis)
        (self.purchase, self.expiresAt) = (purchase, expiresAt)
        (self.returnURL, self.notificationURL, self.clientAddress) = (returnURL, notificationURL, clientAddress)
    }
}

/// Writes orders that we open at stores. A customer is locked before their orders.
package struct CheckoutWrites: Sendable {
    let transaction: WriteTransaction

    package func insert(_ new: NewCheckout) async throws {
        let purchase = new.purchase
        try await transaction.query(
            """
            INSERT INTO checkouts
                (id, app_id, customer_id, product_id, plan_code, period_count, period_unit, store, environment, method, number,
                 description, basis, price, credit,
                 amount, currency, starts_at, ends_at, state, created_at, expires_at,
                 return_url, notification_url, client_address)
            VALUES
                (\(new.id), \(new.app), \(new.customer), \(new.product), \(purchase.offer.plan.code),
                 \(purchase.offer.period.count, as: Int32.self), \(purchase.offer.period.unit.rawValue), \(new.method.store), \(new.environment), \(new.method),
                 \(new.number), \(new.description), \(new.basis), \(purchase.price.minorUnits),
                 \(purchase.price.minorUnits.minus(purchase.amount.minorUnits)), \(purchase.amount.minorUnits),
                 \(purchase.price.currency.code), \(purchase.startsAt), \(purchase.endsAt), 'opening', \(transaction.now),
                 \(new.expiresAt), \(new.returnURL), \(new.notificationURL), \(new.clientAddress))
            """
        )
    }

    /// A customer's orders that can be paid, locked, the newest first: one, or several where records were merged.
    package func open(
        of customer: Customer.ID,
        _ product: ProductRecord.ID,
        by method: CheckoutMethod
    ) async throws -> [Checkout] {
        try await transaction.lock(
            """
            \(Checkout.selection)
            WHERE (c.id = \(customer) OR c.merged_into = \(customer)) AND k.product_id = \(product) AND k.method = \(method)
                AND k.state IN ('opening', 'open')
            ORDER BY k.created_at DESC, k.id
            FOR NO KEY UPDATE OF k
            """
        ).map(Checkout.init(row:))
    }

    /// The number of a customer's orders that a store could still be paid for, and of those of the last day, with those of the records that
    /// were merged into theirs.
    package func counts(of customer: Customer.ID, since day: Date) async throws -> (live: Int, recent: Int) {
        let rows = try await transaction.query(
            """
            SELECT count(*) FILTER (WHERE k.state IN ('opening', 'open', 'closing')), count(*)
            FROM customers c
            JOIN checkouts k ON k.customer_id = c.id AND k.created_at >= \(day)
            WHERE c.id = \(customer) OR c.merged_into = \(customer)
            """
        )
        let (live, recent) = try rows[0].decode(Int.self, Int.self)  // safe: a row without a table
        return (live, recent)
    }

    /// An order by the number that the store knows, locked; nil where the app has none.
    package func find(_ number: String, of app: App.ID) async throws -> Checkout? {
        try await transaction.lock(
            "\(Checkout.selection) WHERE k.app_id = \(app) AND k.number = \(number) FOR NO KEY UPDATE OF k"
        ).first.map(Checkout.init(row:))
    }

    /// Keeps what a client needs to pay it, also where that is something new.
    ///
    /// - Parameters:
    ///   - invocation: JSON.
    ///   - end: the end of the address in it, after which the store is asked again, with the same content; nil where it works as long as the
    ///     order.
    /// - Returns: false where it was paid or given up meanwhile, or another request was quicker.
    package func opened(_ id: Checkout.ID, invocation: String, until end: Date?) async throws -> Bool {
        let asksAgain = end != nil
        return try await transaction.query(
            """
            UPDATE checkouts
            SET state = 'open', invocation = \(invocation)::jsonb, link_ends_at = \(end), last_failure = NULL,
                asked_at = \(transaction.now), client_address = CASE WHEN \(asksAgain) THEN client_address END
            WHERE id = \(id) AND (state = 'opening' OR state = 'open' AND \(asksAgain))
            """
        ).affectedRows == 1
    }

    /// Keeps that a store was asked, and why there is no answer yet.
    ///
    /// - Parameter failure: in the store's words; nil after an answer.
    package func asked(_ id: Checkout.ID, failure: String?) async throws {
        try await transaction.query(
            "UPDATE checkouts SET asked_at = \(transaction.now), last_failure = \(failure) WHERE id = \(id)"
        )
    }

    /// Gives an order up that can be paid: its store is to be told.
    ///
    /// - Returns: false where it could not be paid any more.
    package func close(_ id: Checkout.ID, because reason: Checkout.CloseReason) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE checkouts
            SET state = 'closing', close_reason = \(reason), client_address = NULL
            WHERE id = \(id) AND state IN ('opening', 'open')
            """
        ).affectedRows == 1
    }

    /// Gives up all orders that a customer can pay, with those of the records that were merged into theirs: their stores are to be told.
    /// The customer is locked.
    ///
    /// - Returns: those that were given up.
    package func closeAll(
        of customer: Customer.ID,
        because reason: Checkout.CloseReason
    ) async throws -> [Checkout.ID] {
        let open = try await transaction.lock(
            """
            SELECT id
            FROM checkouts
            WHERE customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
                AND state IN ('opening', 'open')
            ORDER BY id
            FOR NO KEY UPDATE
            """
        ).map { try $0.decode(0, as: Checkout.ID.self) }
        var closed: [Checkout.ID] = []
        for id in open where try await close(id, because: reason) { closed.append(id) }
        return closed
    }

    /// Keeps that an order cannot be paid any more at its store.
    ///
    /// - Parameter reason: for one that we had not given up.
    package func closed(
        _ id: Checkout.ID,
        because reason: Checkout.CloseReason,
        failure: String? = nil
    ) async throws {
        try await transaction.query(
            """
            UPDATE checkouts
            SET state = 'closed', close_reason = coalesce(close_reason, \(reason)), closed_at = \(transaction.now),
                last_failure = \(failure), asked_at = \(transaction.now), client_address = NULL
            WHERE id = \(id) AND state IN ('opening', 'open', 'closing')
            """
        )
    }

    /// Keeps an order's payment.
    ///
    /// - Parameters:
    ///   - payerHash: SHA-256 of the payer's id at the store.
    ///   - payerMask: the id with most of it left out.
    package func paid(
        _ id: Checkout.ID,
        by payment: StorePayment,
        at paidAt: Date,
        payerHash: [UInt8]?,
        payerMask: Personal<String>?,
        for subscription: Subscription.ID
    ) async throws {
        try await transaction.query(
            """
            UPDATE checkouts
            SET state = 'paid', transaction_id = \(payment.transactionID), paid_at = \(paidAt),
                settled_at = \(transaction.now), payer_hash = \(payerHash), payer_mask = \(payerMask),
                payment_kind = \(payment.kind), bank = \(payment.bank),
                subscription_id = \(subscription), closed_at = NULL, last_failure = NULL, asked_at = \(transaction.now),
                client_address = NULL
            WHERE id = \(id)
            """
        )
    }

    /// Keeps that a store gave back some of an order's payment, nobody knows how much, and has people look at it.
    package func noteUnknownRefund(_ problem: String, of id: Checkout.ID) async throws {
        try await transaction.query(
            """
            UPDATE checkouts
            SET has_unknown_refund = true, problem = \(problem), problem_seen_at = NULL
            WHERE id = \(id)
            """
        )
    }

    /// Keeps that it is booked now how much of a payment was given back. Where all of it was, people have nothing more to see to.
    package func knowRefund(ofPayment transactionID: String, at store: Store, of app: App.ID) async throws {
        try await transaction.query(
            """
            UPDATE checkouts k
            SET has_unknown_refund = false, problem = CASE WHEN o.refunded < o.amount THEN k.problem END,
                problem_seen_at = CASE WHEN o.refunded < o.amount THEN k.problem_seen_at END
            FROM orders o
            WHERE k.app_id = \(app) AND k.store = \(store) AND k.transaction_id = \(transactionID) AND k.has_unknown_refund
                AND o.app_id = k.app_id AND o.store = k.store AND o.transaction_id = k.transaction_id AND o.joined_into IS NULL
            """
        )
    }

    /// Something that people have to look at, locked with its order; nil where the app has none.
    package func problem(of id: Checkout.ID, app: App.ID) async throws -> CheckoutProblem? {
        try await transaction.lock(
            """
            SELECT store, number, problem, problem_seen_at IS NOT NULL
            FROM checkouts
            WHERE app_id = \(app) AND id = \(id) AND problem IS NOT NULL
            FOR NO KEY UPDATE
            """
        ).first.map { row in
            var columns = try row.columns(4)
            return CheckoutProblem(
                store: try columns.next(),
                number: try columns.next(),
                problem: try columns.next(),
                isSeenTo: try columns.next()
            )
        }
    }

    /// Keeps that a person has seen to it.
    package func seeToProblem(of id: Checkout.ID) async throws {
        try await transaction.query(
            "UPDATE checkouts SET problem_seen_at = \(transaction.now) WHERE id = \(id) AND problem IS NOT NULL"
        )
    }

    /// Has people look at an order.
    ///
    /// - Returns: false where the same was known.
    package func note(_ problem: String, about id: Checkout.ID) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE checkouts
            SET problem = \(problem), problem_seen_at = NULL
            WHERE id = \(id) AND problem IS DISTINCT FROM \(problem)
            """
        ).affectedRows == 1
    }
}
