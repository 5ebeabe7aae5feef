import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// An order as it is shown to whoever is to pay it, with something to pay it with that still works: what our server signs is signed now,
    /// and an address that is about to end is replaced by another, for which the store is asked under the same number.
    ///
    /// - Returns: without anything to pay with where the store gives nothing now; the next look asks again.
    package func payable(_ opened: OpenedCheckout) async throws -> OpenedCheckout {
        let checkout = opened.checkout
        let isSigned = checkout.method.isSignedWhenShown
        let isStale = opened.isStale(at: database.now)
        guard checkout.state == .open, checkout.expiresAt > database.now, isSigned || isStale else { return opened }
        // Of an order without the address for messages an earlier version of the server kept too little to ask again.
        guard checkout.notificationURL != nil else { return opened }
        let order = CheckoutOrder(checkout)
        do {
            let server = try await checkoutServer(of: checkout.app, at: checkout.store).server
            let invocation = try await within(Self.checkoutPatience) {
                try await server.open(order, by: checkout.method)
            }
            guard isSigned else { return try await keep(invocation, of: checkout) }
            var fresh = opened
            fresh.payment = CheckoutPayment(invocation)
            return fresh
        } catch is CancellationError {
            try Task.checkCancellation()
        } catch is StoreFailure {
            // The next look asks again.
        } catch is OperationsError {
            // The app sells nothing there any more.
        }
        return opened.asLeft(at: database.now)
    }
}

extension OpenedCheckout {
    /// True for an address that does not work for another minute: whoever follows it now would be too late. An order of which an earlier
    /// version of the server kept no client's address stays as it is: the store would not give another one.
    func isStale(at now: Date) -> Bool {
        guard checkout.state == .open, checkout.method.linkLifetime != nil, checkout.clientAddress != nil else {
            return false
        }
        return (checkout.linkEndsAt ?? .distantPast) < now.addingTimeInterval(60)
    }

    /// The order as it was, where the store gave nothing new: an address is shown until its end.
    fileprivate func asLeft(at now: Date) -> OpenedCheckout {
        var rest = self
        if (checkout.linkEndsAt ?? .distantPast) <= now { rest.payment = nil }
        return rest
    }
}

extension CheckoutOrder {
    /// An order to open, or to open again: to the store it is the same whoever asks, and from where.
    ///
    /// - Parameter request: the request to pay it, which names the payer, of whom the order keeps no more than a hash; and the addresses
    ///   of an order of which an earlier version of the server kept none.
    init(_ checkout: Checkout, as request: CheckoutRequest? = nil) {
        let keepsAddresses = checkout.notificationURL != nil
        self.init(
            number: checkout.number,
            description: checkout.description,
            amount: checkout.amount,
            expiresAt: checkout.expiresAt,
            notificationURL: checkout.notificationURL ?? request?.notificationURL ?? "",
            returnURL: checkout.returnURL,
            payer: request?.payer,
            clientAddress: keepsAddresses ? checkout.clientAddress?.shown(to: OpeningStore()) : request?.clientAddress
        )
    }
}

/// A store, which is told the address of whoever pays.
private struct OpeningStore: PersonalDataReader {
    var seesPersonalData: Bool { true }
}
