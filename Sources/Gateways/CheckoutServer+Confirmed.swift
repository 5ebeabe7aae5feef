import Billing

extension CheckoutServer {
    /// The meaning of a notification of a payment. It is a hint, and the store's answer to a query is the truth (payments.md, 0).
    ///
    /// - Parameter amount: the amount that the notification tells.
    /// - Throws: `.refused` where the store's answer is another than its notification: people have to look at it. `.unanswered` while the
    ///   store does not know of the payment yet.
    func confirmed(_ number: String, of amount: Money) async throws(StoreFailure) -> MessageContent {
        switch try await standing(of: number) {
        case .paid(let payment), .closed(let payment?):
            guard payment.amount == amount else {
                throw Self.contradiction("The notification tells of \(amount), the store of \(payment.amount).")
            }
            return .notice(.payment(payment))
        case .closed(nil):
            throw Self.contradiction("The notification tells of a payment; the store says that it was closed unpaid.")
        case .unknown, .open, .paying:
            throw .unanswered(
                GatewayError(.malformed, "The store does not know yet of the payment that its notification told of.")
            )
        }
    }

    private static func contradiction(_ message: String) -> StoreFailure {
        .refused(StoreRefusal(GatewayError(.malformed, message)))
    }
}

extension StoreFailure {
    /// Reads something of a message that was kept. What cannot be read now can never be: people have to look at it. A setting that is
    /// wrong waits for them, too.
    static func readingKept<Value>(_ read: () throws(GatewayError) -> Value) throws(StoreFailure) -> Value {
        do {
            return try read()
        } catch {
            throw error.code == .misconfigured ? .misconfigured(error) : .refused(StoreRefusal(error))
        }
    }
}
