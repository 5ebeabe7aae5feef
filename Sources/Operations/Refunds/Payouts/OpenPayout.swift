package import Billing
import Gateways
import Storage

extension BackOffice {
    /// The service at a store that pays refunds for us; nil where the app has no account there, or people pay them.
    ///
    /// - Throws: `OperationsError` with `.misconfigured`.
    func refundServer(of app: App.ID, at store: Store) async throws -> (any RefundServer)? {
        guard let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] else {
            return nil
        }
        do {
            return try gateway.refunds(of: account)
        } catch {
            throw OperationsError(error)
        }
    }

    /// True where an approval has the store pay. A setting that is wrong is mended; until then the refund waits for that.
    package func paysRefunds(of app: App.ID, at store: Store) async throws -> Bool {
        guard !store.rules.decidesRefunds else { return false }
        do {
            return try await refundServer(of: app, at: store) != nil
        } catch let error as OperationsError where error.code == .misconfigured {
            return true
        }
    }

    /// Has the store of an order pay a refund that is being approved, in the transaction of the approval. Where no store pays for us
    /// nothing happens, and a person pays.
    func openPayout(
        of request: RefundRequest,
        _ amount: Money,
        from order: LockedOrder,
        revoking revokes: Bool,
        in transaction: WriteTransaction
    ) async throws {
        guard try await paysRefunds(of: request.app, at: order.store),
            let names = try await transaction.payouts.names(of: order.id)
        else { return }
        try await transaction.payouts.insert(
            StoredPayout(
                refund: request.id,
                app: request.app,
                store: order.store,
                number: PayoutNumber.number(of: request.number, forOrder: names.number),
                orderNumber: names.number,
                transactionID: order.transactionID,
                amount: amount,
                total: order.amount,
                revokes: revokes,
                createdAt: transaction.now
            )
        )
        try await transaction.jobs.enqueue(.refundPayout, for: request.id.uuid, of: request.app)
    }

    /// Takes a payout back whose request a person pays in another way, or cancels.
    ///
    /// - Parameter isAllowed: whether its state allows that.
    /// - Throws: `OperationsError` with `.conflict` while the store may pay, or has paid.
    func withdrawPayout(
        of request: RefundRequest,
        if isAllowed: (RefundPayout.State) -> Bool,
        in transaction: WriteTransaction
    ) async throws {
        guard let before = try await transaction.payouts.find(request.id) else { return }
        guard isAllowed(before.payout.state) else {
            throw OperationsError(.conflict, before.openSentence(of: request.number))
        }
        var payout = before
        guard payout.payout.withdraw() else { return }
        payout.words = nil
        try await transaction.payouts.save(payout, after: before)
        try await transaction.jobs.cancel(.refundPayout, for: request.id.uuid)
    }
}

extension StoredPayout {
    /// The reason why nobody pays in another way now, and nobody cancels, in a sentence.
    func openSentence(of request: String) -> String {
        let name = store.rawValue
        return switch payout.state {
        case .sent:
            "\(name) was asked to pay \(request), and its answer is not known yet. Whoever pays now may pay twice."
        case .processing: "\(name) is paying \(request). Whoever pays now pays twice."
        case .paid: "\(name) has paid \(request)."
        case .abnormal:
            "\(name) has taken \(request) and could not pay the customer. It is settled there or paid in another way."
        case .waiting, .unpaid, .closed, .refused, .withdrawn: "\(request) is not being paid by \(name)."
        }
    }
}
