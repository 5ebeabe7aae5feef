package import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// The largest number of a customer's orders that a store could still be paid for.
    package static let mostLiveCheckouts = 20
    /// The largest number of a customer's orders within a day.
    package static let mostCheckoutsADay = 200

    /// Opens an order at a store for a customer to pay, or returns the one that they have: there is one for each product and method.
    /// Another price, or a change of what they hold, opens another one, and the first is closed.
    ///
    /// The order is kept before the store is asked, outside of any transaction. An answer that does not come says nothing: the next
    /// request asks under the same number.
    ///
    /// - Parameter key: the idempotency key; the same key gets the same order, also after it was paid or closed.
    /// - Throws: `OperationsError`: `.invalid` with a field of the request; `.notFound` for a product that is not sold there; `.conflict`
    ///   with a `PurchaseRefused` underneath, for a store that is not connected, and for one that refuses; `.blocked` for a customer with too
    ///   many orders; `.overloaded` while the store does not answer.
    package func openCheckout(
        _ request: CheckoutRequest,
        key: IdempotencyKey? = nil,
        for customer: Customer.ID,
        of app: App.ID
    ) async throws -> OpenedCheckout {
        try request.check()
        let server = try await checkoutServer(of: app, at: request.method.store)
        let offer = try await offer(of: request, app)
        let number = try await database.write { transaction in
            guard let key else {
                return try await keep(request, offer, for: customer, of: app, server, in: transaction)
            }
            return try await transaction.answerOnce(key) {
                try await keep(request, offer, for: customer, of: app, server, in: transaction)
            }
        }
        let known = try await checkout(number, of: app)
        guard known.checkout.state == .opening || known.isStale(at: database.now) else {
            return try await payable(known)
        }
        return try await open(known.checkout, request, at: server)
    }

    /// An order by its number.
    ///
    /// - Parameter customer: whose it has to be; nil for any.
    /// - Throws: `OperationsError` with `.notFound` where there is none.
    package func checkout(
        _ number: String,
        of app: App.ID,
        for customer: Customer.ID? = nil
    ) async throws -> OpenedCheckout {
        guard
            let found = try await database.readPrimary({
                try await $0.checkout(number, of: app, customer: customer)
            })
        else { throw OperationsError(.notFound, "There is no such order.") }
        return try OpenedCheckout(found)
    }

    /// An order for whoever knows its number, and is to pay it; nil where there is none.
    package func checkout(toPay number: String) async throws -> OpenedCheckout? {
        let isPossible = (6...32).contains(number.utf8.count) && number.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isPossible else { return nil }
        return try await database.readPrimary { try await $0.checkout(toPay: number) }.map { try OpenedCheckout($0) }
    }

    /// A period that is on sale.
    struct Sale: Sendable {
        var product: ProductRecord.ID
        var name: String
        var offer: PeriodPurchase.Offer
        var zone: TimeZone
        /// Seconds in which it can be paid.
        var lifetime: TimeInterval
    }

    func offer(of request: CheckoutRequest, _ app: App.ID) async throws -> Sale {
        let currency = request.method.currency
        let found = try await database.readPrimary { reader in
            try await reader.checkoutOffer(
                request.productID,
                at: request.method.store,
                of: app,
                in: currency,
                language: request.language
            )
        }
        guard let entry = try await apps.entry(for: app), let found, let price = found.price, price.minorUnits > 0,
            let period = found.period
        else {
            throw OperationsError(
                .notFound,
                "The app sells no such period at \(request.method.store.rawValue).",
                field: "product",
                reason: .productNotFound
            )
        }
        return Sale(
            product: found.product,
            name: String(String.UnicodeScalarView(found.name.unicodeScalars.prefix(127))),
            offer: PeriodPurchase.Offer(plan: found.plan, period: period, price: price),
            zone: entry.timeZone,
            lifetime: found.lifetime
        )
    }

    /// Finds the customer's order, or keeps a new one.
    ///
    /// - Parameter told: the number of an order of the past, whose end is known: nobody has to look after it.
    /// - Returns: its number.
    func keep(
        _ request: CheckoutRequest,
        _ sale: Sale,
        for customer: Customer.ID,
        of app: App.ID,
        _ server: ConnectedCheckout,
        numbered told: String? = nil,
        in transaction: WriteTransaction
    ) async throws -> String {
        guard let party = try await transaction.customers.lock([customer], of: app)[customer], !party.isDeleted else {
            throw OperationsError(.notFound, "The app has no such customer.")
        }
        let open = try await transaction.checkouts.open(of: party.id, sale.product, by: request.method)
        let held = try await transaction.checkouts.held(
            by: party.id,
            of: app,
            in: server.environment,
            after: transaction.now
        )
        let purchase: PeriodPurchase
        do throws(PurchaseRefused) {
            purchase = try PeriodPurchase(
                of: sale.offer,
                holding: held.map(\.period),
                at: transaction.now,
                in: sale.zone
            )
        } catch {
            throw OperationsError(error)
        }
        let basis = request.basis(sale.offer, holding: held)
        if let same = open.first(where: { $0.expiresAt > transaction.now && $0.basis == basis }) { return same.number }
        for open in open {
            let isOver = open.expiresAt <= transaction.now
            _ = try await transaction.checkouts.close(open.id, because: isOver ? .expired : .replaced)
            try await transaction.jobs.enqueue(.checkout, for: open.id.uuid, of: app)
        }
        let day = transaction.now.addingTimeInterval(-86_400)
        let counts = try await transaction.checkouts.counts(of: party.id, since: day)
        guard counts.live < Self.mostLiveCheckouts, counts.recent < Self.mostCheckoutsADay else {
            throw OperationsError(
                .blocked,
                "Too many orders of this customer are open. Pay one of them, or try again later.",
                reason: .tooManyCheckouts,
                retryAfter: Int(bounding: sale.lifetime)
            )
        }
        let new = NewCheckout(
            id: Checkout.ID(transaction.newUUID()),
            app: app,
            customer: party.id,
            product: sale.product,
            environment: server.environment,
            method: request.method,
            number: told ?? CheckoutNumber.random(),
            description: sale.name,
            basis: basis,
            purchase: purchase,
            expiresAt: transaction.now.addingTimeInterval(sale.lifetime),
            returnURL: request.returnURL,
            notificationURL: request.notificationURL,
            clientAddress: request.clientAddress.map { Personal($0) }
        )
        try await transaction.checkouts.insert(new)
        guard told == nil else { return new.number }
        try await transaction.jobs.enqueue(
            .checkout,
            for: new.id.uuid,
            of: app,
            at: transaction.now.addingTimeInterval(CheckoutSchedule.first)
        )
        return new.number
    }

    /// Asks the store. Whoever asks at the same time, or again, asks the same under the same number: with other content the store would
    /// refuse it. Only the payer is taken from the request, of which the order keeps no more than a hash (`basis`).
    private func open(
        _ checkout: Checkout,
        _ request: CheckoutRequest,
        at connected: ConnectedCheckout
    ) async throws -> OpenedCheckout {
        let order = CheckoutOrder(checkout, as: request)
        do {
            let invocation = try await within(Self.checkoutPatience) {
                try await connected.server.open(order, by: checkout.method)
            }
            return try await keep(invocation, of: checkout)
        } catch is CancellationError {
            try Task.checkCancellation()
            let failure = "\(checkout.store.rawValue) did not answer in time."
            try await database.write { try await $0.checkouts.asked(checkout.id, failure: failure) }
            throw OperationsError(.overloaded, failure, retryAfter: 2)
        } catch let failure as StoreFailure {
            try await keep(failure, to: checkout)
            guard failure.refusal != nil else { throw OperationsError(failure) }
            throw OperationsError(.conflict, failure.message, reason: .purchaseFailed, underlying: failure)
        }
    }

    /// Keeps what a store gave for the payment of an order.
    ///
    /// - Returns: the order as it stands then.
    func keep(_ invocation: CheckoutInvocation, of checkout: Checkout) async throws -> OpenedCheckout {
        let json = try CheckoutPayment(invocation).json
        let end = checkout.method.linkLifetime.map { database.now.addingTimeInterval($0) }
        _ = try await database.write { try await $0.checkouts.opened(checkout.id, invocation: json, until: end) }
        return try await self.checkout(checkout.number, of: checkout.app)
    }

    /// After a refusal the order is closed, which asks the store how it stands: it may have been opened, and paid, before.
    private func keep(_ failure: StoreFailure, to checkout: Checkout) async throws {
        try await database.write { transaction in
            try await transaction.checkouts.asked(checkout.id, failure: failure.message)
            guard failure.refusal != nil,
                try await transaction.checkouts.close(checkout.id, because: .refused)
            else { return }
            try await transaction.jobs.enqueue(.checkout, for: checkout.id.uuid, of: checkout.app)
        }
    }

    /// The time that a request waits for the store.
    static var checkoutPatience: Duration { .seconds(10) }
}
