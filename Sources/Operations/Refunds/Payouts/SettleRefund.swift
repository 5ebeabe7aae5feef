package import Billing
import Foundation
package import Gateways
package import Storage

/// The account that a person has a store pay an abnormal refund to, as it was typed.
package struct RefundSettlementRoute: Sendable, Hashable {
    package var way: Way?
    /// The bank's word at the store.
    package var bank: String
    package var account: Secret
    package var name: Secret

    /// Raw values appear in forms and in the API.
    package enum Way: String, Sendable, Hashable, CaseIterable {
        /// Our own bank account.
        case merchant
        /// The customer's bank card.
        case customer
    }

    package init(way: Way?, bank: String = "", account: Secret = Secret(""), name: Secret = Secret("")) {
        (self.way, self.bank, self.account, self.name) = (way, bank, account, name)
    }

    /// The route as the store is told it.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the fields `way`, `bank`, `account` and `name`.
    package func checked() throws(OperationsError) -> AbnormalRoute {
        switch way {
        case nil: throw OperationsError(problems: [FieldProblem("way", .missing)])
        case .merchant: return .merchant
        case .customer:
            let bank = bank.trimmingCharacters(in: .whitespaces)
            let account = account.revealed.filter { !$0.isWhitespace }
            let name = name.revealed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            var problems: [FieldProblem] = []
            if bank.wholeMatch(of: /[A-Z0-9_]{2,32}/) == nil {
                problems.append(FieldProblem("bank", bank.isEmpty ? .missing : .unfit))
            }
            if account.wholeMatch(of: /[0-9]{6,32}/) == nil {
                problems.append(FieldProblem("account", account.isEmpty ? .missing : .unfit))
            }
            if name.isEmpty || name.count > 60 {
                problems.append(FieldProblem("name", name.isEmpty ? .missing : .tooLong(60)))
            }
            guard problems.isEmpty else { throw OperationsError(problems: problems) }
            return .customer(bank: bank, account: Secret(account), name: Secret(name))
        }
    }
}

extension AbnormalRoute {
    /// In WeChat Pay's words, the only store that has such refunds.
    fileprivate var word: String {
        switch self {
        case .merchant: "MERCHANT_BANK_CARD"
        case .customer: "USER_BANK_CARD"
        }
    }
}

extension BackOffice {
    /// Has the store pay a refund to another account that the customer's account did not take. From the moment that it is about to be
    /// asked nobody pays by hand; a no leads back to where it was, with the store's words. An account number is told to the store, and kept
    /// nowhere.
    ///
    /// - Throws: `OperationsError`: `.forbidden` (written down), `.notFound`, `.stale`, `.invalid` for the route, or `.conflict` where the
    ///   customer's account takes it, or the store pays to no other.
    package func settleRefund(
        _ number: String,
        app: App.ID,
        _ route: RefundSettlementRoute,
        reason: Reason,
        key: IdempotencyKey? = nil,
        version: Int? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let desk = RefundWorkflow(backOffice: self, app: app, number: number, action: .settleRefund, caller: caller)
        try await desk.require(.decideRefunds)
        let route = try route.checked()
        var settling: (payout: StoredPayout, storeID: String, server: any AbnormalRefundServer)?
        let outcome = try await desk.change(key, version: version, reason: reason) { request, order, transaction in
            guard request.refund.status == .approved, let before = try await transaction.payouts.find(request.id) else {
                throw OperationsError(.conflict, request.statusSentence)
            }
            var payout = before
            guard payout.payout.settle(), let storeID = before.storeID else {
                throw OperationsError(.conflict, before.openSentence(of: request.number))
            }
            guard let server = try await refundServer(of: app, at: order.store) as? any AbnormalRefundServer else {
                throw OperationsError(.conflict, "\(order.store.rawValue) pays refunds to no other account.")
            }
            (payout.settledAt, payout.words) = (transaction.now, route.word)
            try await transaction.payouts.save(payout, after: before)
            // Whoever follows it learns soon what became of a question whose answer is lost.
            try await transaction.jobs.enqueue(
                .refundPayout,
                for: request.id.uuid,
                of: app,
                at: transaction.now.addingTimeInterval(60)
            )
            settling = (payout, storeID, server)
        }
        // A change that was made under the same key before is not asked for twice.
        guard let settling, !outcome.isRepeated else { return outcome }
        let refund = try await refund(of: settling.payout)
        let answer = await PayoutAnswer { () async throws(StoreFailure) in
            try await settling.server.settleAbnormal(refund, storeID: settling.storeID, to: route)
        }
        switch answer {
        case .standing(let standing):
            do {
                _ = try await database.write { try await hear(standing, of: settling.payout.refund, in: $0) }
            } catch let disputed as PayoutDisputed {
                try await note(disputed.message, about: settling.payout)
            }
        case .refused(let words): try await hearRefusedSettlement(of: settling.payout, words)
        // It is followed: whoever asks next learns it.
        case .unknown(let words): try await note(words, about: settling.payout)
        case .unpaid: break
        }
        return outcome
    }

    /// The customer's account takes nothing as before, and the store's words say why it goes no other way.
    private func hearRefusedSettlement(of told: StoredPayout, _ words: String) async throws {
        try await database.write { transaction in
            guard try await transaction.payouts.request(told.refund) != nil,
                let before = try await transaction.payouts.find(told.refund), before.payout.state == .processing
            else { return }
            var payout = before
            _ = payout.payout.hear(.abnormal)
            (payout.settledAt, payout.askedAt) = (nil, transaction.now)
            payout.words = String(words.prefix(StoredPayout.longestWords))
            try await transaction.payouts.save(payout, after: before)
        }
    }
}
