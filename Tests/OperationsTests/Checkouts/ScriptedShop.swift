import Billing
import Foundation
import Gateways
import Synchronization

/// A store at which our server opens orders, as it is when everything goes wrong: it is away, answers too late, is paid late or twice,
/// and lies about amounts.
final class ScriptedShop: StoreGateway, CheckoutServer, BillSource {
    let store: Store
    let identifier = (name: "merchant id", field: "mchid")

    /// An order as the shop knows it.
    struct Order: Sendable {
        var order: CheckoutOrder
        var method: CheckoutMethod
        /// The number of times that it was opened.
        var asked = 1
        var standing = CheckoutStanding.open
    }

    enum Trouble: Sendable {
        /// The question does not arrive.
        case away
        /// It does what it is asked, and the answer does not come.
        case silent
        case refuses
    }

    private struct State {
        var orders: [String: Order] = [:]
        var trouble: [Trouble] = []
        var closed: [String] = []
        /// By number, whatever it knows.
        var said: [String: CheckoutStanding] = [:]
        var payments = 0
        var billsAsked: [BusinessDay] = []
        var billDelay: TimeInterval = 36_000
        var bendBill: (@Sendable (StoreBill) -> StoreBill)?
        var billFailure: String?
    }

    private let state = Mutex(State())

    private let clock: @Sendable () -> Date

    init(_ store: Store, clock: @escaping @Sendable () -> Date = { TestOffice.start }) {
        (self.store, self.clock) = (store, clock)
    }

    /// Has the next calls fail, one each.
    func fail(_ trouble: Trouble...) {
        state.withLock { $0.trouble += trouble }
    }

    func order(_ number: String) -> Order? { state.withLock { $0.orders[number] } }

    var orders: [String: Order] { state.withLock { $0.orders } }

    /// The numbers that were closed, in order.
    var closed: [String] { state.withLock { $0.closed } }

    /// Has it say so whenever it is asked about an order, or told to close it.
    func say(_ standing: CheckoutStanding, of number: String) {
        state.withLock { $0.said[number] = standing }
    }

    /// The customer pays; the shop tells what it says of it.
    ///
    /// - Parameter isKnown: false for a shop that says nothing of it when it is asked.
    @discardableResult
    func pay(
        _ number: String,
        at moment: Date,
        fen: Int64? = nil,
        as transaction: String? = nil,
        isKnown: Bool = true
    ) -> StorePayment {
        state.withLock { state in
            state.payments += 1
            let amount = state.orders[number]?.order.amount ?? Money(minorUnits: 0, currency: .cny)
            let payment = StorePayment(
                number: number,
                transactionID: transaction ?? "\(store.rawValue)-\(state.payments)",
                merchantID: "shop-\(store.rawValue)",
                amount: fen.map { Money(minorUnits: $0, currency: .cny) } ?? amount,
                paidAt: moment,
                payer: Secret("o-payer"),
                kind: "NATIVE"
            )
            if isKnown { state.orders[number]?.standing = .paid(payment) }
            return payment
        }
    }

    // MARK: CheckoutServer

    /// The same number with other content is refused, as real stores do.
    func open(_ order: CheckoutOrder, by method: CheckoutMethod) async throws(StoreFailure) -> CheckoutInvocation {
        let isSame = try act { state in
            let known = state.orders[order.number]?.order ?? order
            if state.orders[order.number] == nil {
                state.orders[order.number] = Order(order: order, method: method)
            } else {
                state.orders[order.number]?.asked += 1
            }
            return known == order
        }
        guard isSame else { throw .refused(StoreRefusal(GatewayError(.malformed, "INVALID_REQUEST"))) }
        return .qr("weixin://wxpay/bizpayurl?pr=\(order.number)")
    }

    func standing(of number: String) async throws(StoreFailure) -> CheckoutStanding {
        try act { $0.said[number] ?? $0.orders[number]?.standing ?? .unknown }
    }

    func close(_ number: String) async throws(StoreFailure) -> CheckoutStanding {
        try act { state in
            if let said = state.said[number] { return said }
            guard let order = state.orders[number] else { return .unknown }
            if case .open = order.standing {
                state.orders[number]?.standing = .closed(nil)
                state.closed.append(number)
            }
            return state.orders[number]?.standing ?? .unknown
        }
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
        let reason = GatewayError(.unreachable, "The shop did not answer.")
        if case .refuses = trouble {
            throw StoreFailure(refusal: StoreRefusal(GatewayError(.malformed, "RULE_LIMIT")), else: reason)
        }
        throw StoreFailure(refusal: nil, else: reason)
    }

    // MARK: BillSource

    let billZone = TimeZone(secondsFromGMT: 28_800) ?? .gmt
    let billDelay: TimeInterval = 36_000

    /// The days whose bills were asked for and made, in order.
    var billsAsked: [BusinessDay] { state.withLock { $0.billsAsked } }

    /// The rows of all payments.
    var rows: [BilledMovement] {
        orders.values.compactMap { order in
            guard case .paid(let payment) = order.standing else { return nil }
            return row(
                .payment,
                payment.number,
                payment.transactionID,
                payment.amount.minorUnits,
                nil,
                at: payment.paidAt
            )
        }
        .sorted { $0.transactionID < $1.transactionID }
    }

    func row(
        _ kind: BilledMovement.Kind,
        _ number: String,
        _ transaction: String,
        _ fen: Int64,
        _ refund: String?,
        at date: Date = TestOffice.start
    ) -> BilledMovement {
        BilledMovement(
            kind,
            orderNumber: number,
            transactionID: transaction,
            refundNumber: refund,
            amount: Money(minorUnits: fen, currency: .cny),
            at: date
        )
    }

    /// Has bills come otherwise than they are.
    ///
    /// - Parameter failing: why none can be read; nil for all.
    func bendBills(failing: String? = nil, _ bend: @escaping @Sendable (StoreBill) -> StoreBill) {
        state.withLock { ($0.bendBill, $0.billFailure) = (bend, failing) }
    }

    /// Has bills made so many seconds after the end of their days.
    func makeBills(after delay: TimeInterval) { state.withLock { $0.billDelay = delay } }

    func bill(of day: BusinessDay) async throws(StoreFailure) -> StoreBill? {
        let (delay, bend, failure) = state.withLock { state in
            state.billsAsked.append(day)
            return (state.billDelay, state.bendBill, state.billFailure)
        }
        if let failure { throw StoreFailure(unreadable: GatewayError(.malformed, failure)) }
        guard clock() >= day.end(in: billZone).addingTimeInterval(delay) else { return nil }
        let bill = StoreBill(rows: rows.filter { BusinessDay($0.at, in: billZone) == day }, isWhole: true)
        return bend?(bill) ?? bill
    }

    // MARK: StoreGateway

    func check(_ account: StoreAccount) throws(GatewayError) {}

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "It takes in nothing.")
    }

    func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? { self }

    func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)? { self }
}
