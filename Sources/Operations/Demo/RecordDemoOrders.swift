package import Billing
package import Foundation
package import Storage

/// An order of the demo's past, opened at a store that takes orders of ours.
package struct DemoOrder: Sendable, Hashable {
    /// Names it at the store; the same number is recorded once.
    package var number: String
    package var method: CheckoutMethod
    /// The store's identifier.
    package var productID: String
    package var openedAt: Date
    /// nil for one that nobody paid: it expired.
    package var payment: Payment?

    package struct Payment: Sendable, Hashable {
        /// The store's number of it.
        package var transactionID: String
        package var paidAt: Date
        /// The payer's id at the store.
        package var payer: Secret
        package var bank: String?
        package var kind: String?

        package init(transactionID: String, paidAt: Date, payer: Secret, bank: String?, kind: String?) {
            (self.transactionID, self.paidAt, self.payer) = (transactionID, paidAt, payer)
            (self.bank, self.kind) = (bank, kind)
        }
    }

    package init(number: String, method: CheckoutMethod, productID: String, openedAt: Date, payment: Payment?) {
        (self.number, self.method, self.productID) = (number, method, productID)
        (self.openedAt, self.payment) = (openedAt, payment)
    }
}

extension BackOffice {
    /// Records the orders of one customer as if each had been opened, and paid or not, when it says: what an order costs, whether it may be
    /// bought then, and what its payment amounts to is decided as for everybody. The store is asked nothing. What the customer
    /// could not have bought is left out.
    ///
    /// - Parameter orders: in the order of their opening.
    /// - Throws: `OperationsError` with `.notFound` for an app or product that does not exist; `.conflict` for a store without an account.
    package func recordDemoOrders(
        _ orders: [DemoOrder],
        of person: CustomerIntroduction,
        toApp slug: String
    ) async throws {
        guard let first = orders.first else { return }
        let known = try await database.write(at: first.openedAt) { transaction in
            try await transaction.customers.introduce([person], toApp: slug)
        }
        guard known, let app = try await demoApp(slug),
            let customer = try await database.readPrimary({
                try await $0.customer(withToken: person.appAccountToken, of: app)
            })
        else { throw OperationsError(.notFound, "There is no app \(slug).", field: "app") }
        for order in orders { try await record(order, of: customer, app) }
    }

    private func record(_ order: DemoOrder, of customer: Customer.ID, _ app: App.ID) async throws {
        let request = CheckoutRequest(
            productID: order.productID,
            method: order.method,
            payer: order.method.needsPayer ? order.payment?.payer : nil,
            clientAddress: order.method.needsClientAddress ? "203.0.113.7" : nil,
            // The store told nobody: the past is recorded.
            notificationURL: "https://demo.invalid/webhooks/\(order.method.store.rawValue)"
        )
        let server = try await checkoutServer(of: app, at: order.method.store)
        let sale = try await offer(of: request, app)
        do {
            try await database.write(at: order.openedAt) { transaction in
                guard try await transaction.checkouts.find(order.number, of: app) == nil else { return }
                _ = try await keep(
                    request,
                    sale,
                    for: customer,
                    of: app,
                    server,
                    numbered: order.number,
                    in: transaction
                )
                guard let checkout = try await transaction.checkouts.find(order.number, of: app) else { return }
                guard let payment = order.payment else {
                    let end = transaction.at(checkout.expiresAt)
                    return try await end.checkouts.closed(checkout.id, because: .expired)
                }
                _ = try await settle(
                    StorePayment(
                        number: order.number,
                        transactionID: payment.transactionID,
                        amount: checkout.amount,
                        payerAmount: checkout.amount,
                        paidAt: payment.paidAt,
                        payer: payment.payer,
                        bank: payment.bank,
                        kind: payment.kind
                    ),
                    of: checkout,
                    in: transaction.at(payment.paidAt)
                )
            }
        } catch let error as OperationsError where error.underlying is PurchaseRefused {
            return
        }
    }

    /// Records what a store told of its subscribers, each in its order, recorded as of its signing while `recording` says so.
    ///
    /// - Parameter histories: one for each subscriber.
    /// - Throws: as `apply` does; what was recorded stays.
    package func recordDemoEvents(_ histories: [[StoreEvent]], toApp slug: String) async throws {
        guard let app = try await demoApp(slug) else {
            throw OperationsError(.notFound, "There is no app \(slug).", field: "app")
        }
        try await inTurns(histories) { history in
            for event in history {
                _ = try await apply(
                    IncomingEvent(app: app, event: event, origin: .reconciliation(nil)),
                    patience: .seconds(10)
                )
            }
        }
    }

    /// Does something with each, some at a time.
    ///
    /// - Parameter progress: told of how many are done, in their order.
    package func inTurns<Each: Sendable>(
        _ all: [Each],
        atOnce: Int = 6,
        progress: (Int) -> Void = { _ in },
        _ body: @escaping @Sendable (Each) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, each) in all.enumerated() {
                if index >= atOnce {
                    _ = try await group.next()
                    progress(index - atOnce + 1)  // safe: not below
                }
                group.addTask { try await body(each) }
            }
            try await group.waitForAll()
        }
    }

    func demoApp(_ slug: String) async throws -> App.ID? {
        try await database.readPrimary { try await $0.apps.all() }.first { $0.slug == slug }?.id
    }

    /// The payments of the demo's orders that a store still makes bills of, or takes refunds of: the oldest first.
    package func demoSales(at store: Store, app slug: String) async throws -> [PastSale] {
        guard let app = try await demoApp(slug) else { return [] }
        let since = database.now.addingTimeInterval(-365 * 86_400)
        return try await database.readPrimary { try await $0.pastSales(of: app, at: store, since: since) }
    }

    /// Opens an order for the newest of the demo's customers at a store, as their app would, for somebody to look at its page.
    ///
    /// - Returns: its number; nil where the store has none.
    package func openDemoCheckout(
        _ productID: String,
        by method: CheckoutMethod,
        notifying url: String,
        for token: UUID,
        toApp slug: String
    ) async throws -> String? {
        guard let app = try await demoApp(slug),
            let customer = try await database.readPrimary({ try await $0.customer(withToken: token, of: app) })
        else { return nil }
        let request = CheckoutRequest(productID: productID, method: method, notificationURL: url)
        return try await openCheckout(request, for: customer, of: app).checkout.number
    }
}
