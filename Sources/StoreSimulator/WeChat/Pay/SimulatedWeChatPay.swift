import Crypto
import CryptoExtras
package import Foundation
package import Gateways
import Synchronization

/// Plays WeChat Pay's APIv3 for one merchant: orders, refunds, certificates, bills, and notifications with their attempts.
///
/// Like WeChat Pay it checks each request's signature, time and nonce, and signs the bytes of its answers and notifications, with a
/// platform certificate or with its public key.
package final class SimulatedWeChatPay: Sendable {
    package let merchant: SimulatedWeChatMerchant
    package let publicKey: SimulatedWeChatSigner
    let clock: SimulatedClock
    let requestTime: @Sendable () -> Date
    let transport: any StoreTransport
    let state: Mutex<State>

    /// - Parameters:
    ///   - publicKey: WeChat Pay's own pair in public-key mode; a new one where it is nil.
    ///   - requestTime: what requests are signed by, and answers; the clock's where it is nil.
    /// - Throws: where no key or certificate can be made.
    package init(
        _ merchant: SimulatedWeChatMerchant,
        mode: SimulatedWeChatMode = .both,
        clock: SimulatedClock,
        publicKey: SimulatedWeChatSigner? = nil,
        transport: any StoreTransport = HTTPStoreTransport(),
        requestTime: (@Sendable () -> Date)? = nil
    ) throws {
        self.requestTime = requestTime ?? { clock.now }
        self.merchant = merchant
        self.clock = clock
        self.transport = transport
        self.publicKey =
            try publicKey ?? SimulatedWeChatSigner(publicKeyID: "PUB_KEY_ID_0119000000012026111100000000000001")
        state = Mutex(State(mode: mode, certificates: [try Self.certificate(at: clock.now)]))
    }

    struct State {
        var mode: SimulatedWeChatMode
        /// The oldest first; the last one signs answers.
        var certificates: [SimulatedWeChatSigner]
        var books = SimulatedWeChatBooks()
        var nonces: [String: Date] = [:]
        var moods: [(path: String, mood: SimulatedWeChatMood)] = []
        var messageMoods: [SimulatedWeChatMood] = []
        var refusals: [(path: String, refusal: SimulatedWeChatRefusal)] = []
        var bendBill: (@Sendable (String) -> String)?
        var misdeliversBills = false
        var billKnobs = SimulatedWeChatBillKnobs()
        var sent = 0
        var asked: [String] = []
    }

    /// The platform certificates, the oldest first.
    package var certificates: [SimulatedWeChatSigner] { state.withLock { $0.certificates } }

    /// The calls, in order.
    package var asked: [String] { state.withLock { $0.asked } }

    package func setMode(_ mode: SimulatedWeChatMode) {
        state.withLock { $0.mode = mode }
    }

    /// Gives out a new platform certificate, which signs from now on; notifications also come with the old one.
    package func rotate() throws {
        let new = try Self.certificate(at: clock.now)
        state.withLock { $0.certificates.append(new) }
    }

    /// Spoils the next answers to a path.
    package func be(_ mood: SimulatedWeChatMood, at path: String, times: Int = 1) {
        state.withLock { $0.moods += Array(repeating: (path, mood), count: max(0, times)) }
    }

    /// Spoils the next notifications, one each.
    package func spoil(_ moods: SimulatedWeChatMood...) {
        state.withLock { $0.messageMoods += moods }
    }

    /// Answers the next requests to a path with an error, before anything is done.
    package func refuse(_ refusal: SimulatedWeChatRefusal, at path: String, times: Int = 1) {
        state.withLock { $0.refusals += Array(repeating: (path, refusal), count: max(0, times)) }
    }

    /// Changes bills before they are signed; nil for none.
    package func bendBills(_ bend: (@Sendable (String) -> String)?) {
        state.withLock { $0.bendBill = bend }
    }

    /// In what bills differ from now on.
    package func set(_ knobs: SimulatedWeChatBillKnobs) { state.withLock { $0.billKnobs = knobs } }

    /// True if bills arrive with another byte than they have.
    package func misdeliverBills(_ does: Bool) {
        state.withLock { $0.misdeliversBills = does }
    }

    /// The outcome of refunds from now on, and the seconds until it.
    package func setRefunds(endingAs outcome: String, after seconds: TimeInterval? = 0) {
        state.withLock { ($0.books.refundOutcome, $0.books.refundDelay) = (outcome, seconds) }
    }

    /// The outcome of the refunds of one order from now on.
    package func setRefunds(of number: String, endingAs outcome: String) {
        state.withLock { $0.books.refundOutcomes[number] = outcome }
    }

    /// Enters an address for refunds' notifications on the merchant platform: of refunds that name none, and of those that are made there.
    ///
    /// - Parameter url: nil for none, as it is at first.
    package func setRefundURL(_ url: String?) {
        state.withLock { $0.books.refundURL = url }
    }

    /// The merchant's balance in fen, from which refunds are paid; nil for enough.
    package func setBalance(_ fen: Int64?) {
        state.withLock { $0.books.balance = fen }
    }

    package func order(_ number: String) -> SimulatedWeChatOrder? { state.withLock { $0.books.orders[number] } }

    package func refund(_ number: String) -> SimulatedWeChatRefund? { state.withLock { $0.books.refunds[number] } }

    package var refunds: [SimulatedWeChatRefund] { state.withLock { Array($0.books.refunds.values) } }

    /// The notifications with their attempts, in the order in which they arose.
    package var messages: [SimulatedWeChatMessage] { state.withLock { $0.books.messages } }

    /// Somebody pays an order.
    ///
    /// - Returns: WeChat Pay's number of the payment.
    /// - Throws: `SimulatedWeChatRefusal` where it cannot be paid.
    @discardableResult
    package func pay(_ number: String, openID: String = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o") throws -> String {
        let now = clock.now
        return try state.withLock { try $0.books.pay(number, openID: openID, for: merchant, at: now) }
    }

    /// The merchant gives something back on WeChat Pay's own pages.
    ///
    /// - Throws: `SimulatedWeChatRefusal`.
    package func refundByHand(_ fen: Int64, of number: String, as refundNumber: String) throws {
        let now = clock.now
        _ = try state.withLock { state in
            let request: JSON = [
                "out_trade_no": .string(number), "out_refund_no": .string(refundNumber),
                "amount": [
                    "refund": .integer(fen), "total": .integer(state.books.orders[number]?.total ?? 0),
                    "currency": "CNY",
                ],
            ]
            return try state.books.refund(request, for: merchant, at: now)
        }
    }

    /// Ends a refund, or takes it further.
    package func settle(_ number: String, as outcome: String) {
        let now = clock.now
        state.withLock { $0.books.settle(number, as: outcome, for: merchant, at: now) }
    }

    /// Sets what a payer does: USERPAYING, PAYERROR, REVOKED.
    package func set(_ number: String, to tradeState: String) {
        state.withLock { $0.books.orders[number]?.state = tradeState }
    }

    private static func certificate(at now: Date) throws -> SimulatedWeChatSigner {
        try SimulatedWeChatSigner(
            certificateValidIn: now.addingTimeInterval(-30 * 86_400)...now.addingTimeInterval(5 * 365 * 86_400)
        )
    }
}
