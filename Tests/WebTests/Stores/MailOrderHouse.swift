import Billing
import Foundation
import Gateways
import Synchronization

/// A store whose notifications only name a receipt. The gateway asks the house for its meaning, which does not always answer.
final class MailOrderHouse: StoreGateway {
    static let store = Store(introducing: "mail_order")

    private let unanswered: Mutex<Int>
    private let asked = Mutex<[String]>([])
    private let books: [String: CornerShop.Message]

    /// - Parameters:
    ///   - unanswered: the number of requests that the house leaves without an answer at first.
    ///   - books: the meaning of each receipt.
    init(unanswered: Int, books: [String: CornerShop.Message]) {
        self.unanswered = Mutex(unanswered)
        self.books = books
    }

    /// The receipts that were asked for, also those without an answer.
    var questions: [String] { asked.withLock { $0 } }

    var store: Store { Self.store }
    var identifier: (name: String, field: String) { ("customer number", "house") }

    func check(_ account: StoreAccount) throws(GatewayError) {}

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        Slip(receipt: delivery.payload)
    }

    func resolve(
        _ signedPayload: String,
        for account: StoreAccount
    ) async throws(StoreFailure) -> MessageContent {
        asked.withLock { $0.append(signedPayload) }
        let isSilent = unanswered.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        guard !isSilent else {
            throw StoreFailure(refusal: nil, else: GatewayError(.unreachable, "The mail order house did not answer."))
        }
        guard let message = books[signedPayload] else {
            throw .refused(StoreRefusal(GatewayError(.missing, "The house has no receipt \(signedPayload).")))
        }
        guard var event = message.event else { return .ignored }
        event.store = Self.store
        return .event(event)
    }

    private struct Slip: UnverifiedMessage {
        let receipt: String

        var claimedIdentifier: String? { "house-7" }

        func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage {
            StoreMessage(
                id: "slip \(receipt)",
                type: "SLIP",
                environment: .production,
                signedAt: now,
                content: .unresolved
            )
        }
    }
}
