import Billing
import Foundation
import Gateways
import Synchronization

/// A store that pays refunds for us, as it is when everything goes wrong: it is away, does not answer, says no, and ends refunds as it
/// likes. It pays nothing twice under one number.
final class ScriptedPayer: AbnormalRefundServer {
    enum Trouble: Sendable {
        /// The question does not arrive.
        case away
        /// It does what it is asked, and the answer does not come.
        case silent
        /// It says no, and does nothing.
        case refuses(String)
    }

    private struct State {
        var refunds: [String: (refund: StoreRefund, standing: StoreRefundStanding)] = [:]
        var trouble: [Trouble] = []
        var outcome = StoreRefundStanding.State.succeeded
        var asked: [String] = []
        var differing: [String] = []
        var routes: [AbnormalRoute] = []
        var isDeaf = false
    }

    private let state = Mutex(State())

    /// Has the next calls fail, one each.
    func fail(_ trouble: [Trouble]) { state.withLock { $0.trouble += trouble } }

    func fail(_ trouble: Trouble...) { fail(trouble) }

    /// From now on it takes no refund on, says so in no way that anybody knows, and answers questions about refunds.
    func beDeaf(_ does: Bool) { state.withLock { $0.isDeaf = does } }

    /// The accounts that it was asked to pay abnormal refunds to.
    var routes: [AbnormalRoute] { state.withLock { $0.routes } }

    /// The state that new refunds are in.
    func end(as outcome: StoreRefundStanding.State) { state.withLock { $0.outcome = outcome } }

    /// Ends all refunds that are there.
    func settle(as outcome: StoreRefundStanding.State, only number: String? = nil) {
        state.withLock { state in
            for key in state.refunds.keys where number == nil || key == number {
                state.refunds[key]?.standing.state = outcome
            }
        }
    }

    /// Forgets all refunds, as a store that was restored from a backup.
    func forget() { state.withLock { $0.refunds = [:] } }

    /// The refunds that it knows, by number.
    var refunds: [String: StoreRefund] { state.withLock { $0.refunds.mapValues(\.refund) } }

    /// The fen that its customers have, by the store's number of the payment.
    var paid: [String: Int64] {
        state.withLock { state in
            state.refunds.values.filter { $0.standing.state == .succeeded }.reduce(into: [:]) { paid, known in
                paid[known.refund.transactionID, default: 0] += known.refund.amount.minorUnits
            }
        }
    }

    /// The numbers under which it was asked to pay, each time.
    var asked: [String] { state.withLock { $0.asked } }

    /// The numbers under which it was asked for something else than before.
    var differing: [String] { state.withLock { $0.differing } }

    func standing(_ number: String) -> StoreRefundStanding? { state.withLock { $0.refunds[number]?.standing } }

    // MARK: RefundServer

    func refund(_ refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding {
        let standing = try act { state -> StoreRefundStanding? in
            state.asked.append(refund.number)
            if state.isDeaf { return nil }
            if let known = state.refunds[refund.number] {
                if known.refund != refund { state.differing.append(refund.number) }
                return known.standing
            }
            let count = state.refunds.count + 1
            let standing = StoreRefundStanding(state.outcome, storeID: "50\(count)", amount: refund.amount)
            state.refunds[refund.number] = (refund, standing)
            return standing
        }
        guard let standing else {
            throw StoreFailure(refusal: nil, else: GatewayError(.unreachable, "The store did not answer."))
        }
        return standing
    }

    func standing(of refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding? {
        try act { $0.refunds[refund.number]?.standing }
    }

    func settleAbnormal(
        _ refund: StoreRefund,
        storeID: String,
        to route: AbnormalRoute
    ) async throws(StoreFailure) -> StoreRefundStanding {
        let standing = try act { state -> StoreRefundStanding? in
            guard let known = state.refunds[refund.number]?.standing, known.storeID == storeID else { return nil }
            guard known.state == .abnormal else { return known }
            state.routes.append(route)
            state.refunds[refund.number]?.standing.state = .processing
            return state.refunds[refund.number]?.standing
        }
        guard let standing else {
            throw StoreFailure(refusal: nil, else: GatewayError(.unreachable, "The store did not answer."))
        }
        return standing
    }

    private func act<Answer: Sendable>(
        _ body: @Sendable (inout State) -> Answer
    ) throws(StoreFailure) -> Answer {
        let (trouble, answer) = state.withLock { state -> (Trouble?, Answer?) in
            guard !state.trouble.isEmpty else { return (nil, body(&state)) }
            let trouble = state.trouble.removeFirst()
            if case .silent = trouble { _ = body(&state) }
            return (trouble, nil)
        }
        if let answer { return answer }
        let reason = GatewayError(.unreachable, "The store did not answer.")
        if case .refuses(let words) = trouble {
            throw StoreFailure(refusal: StoreRefusal(GatewayError(.malformed, words)), else: reason)
        }
        throw StoreFailure(refusal: nil, else: reason)
    }
}

/// A shop at which our server opens orders, and that pays refunds for us.
final class PayingShop: StoreGateway {
    let shop: ScriptedShop
    let payer: ScriptedPayer

    init(_ shop: ScriptedShop, _ payer: ScriptedPayer) {
        (self.shop, self.payer) = (shop, payer)
    }

    var store: Store { shop.store }
    var identifier: (name: String, field: String) { shop.identifier }

    func check(_ account: StoreAccount) throws(GatewayError) {}

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "It takes in nothing.")
    }

    func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? { shop }

    func refunds(of account: StoreAccount) throws(GatewayError) -> (any RefundServer)? { payer }

    func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)? { shop }
}
