import Billing
import Foundation

extension GoogleClient {
    /// orders.get
    func order(_ id: String, isFresh: Bool = false) async throws(GoogleCallFailure) -> GoogleOrder {
        try await answer(aboutOrder: id, isFresh: isFresh).content
    }

    /// The same, with when it was asked for.
    func answer(
        aboutOrder id: String,
        isFresh: Bool = false
    ) async throws(GoogleCallFailure) -> GoogleAnswer<GoogleOrder> {
        try await answer(
            to: GoogleCall(
                "GET",
                [.path("/orders/"), .segment(try Self.name(id))],
                isFresh: isFresh,
                field: "transactionId"
            )
        ) { json throws(GatewayError) in
            let order = try GoogleOrder(json)
            guard order.id.text == id else { throw GatewayError(.malformed, "Google answered with another order.") }
            return order
        }
    }

    /// orders.batchGet. One order that Google does not know refuses all of them: then each is asked for by itself, and what is not known is
    /// not in the answer.
    func orders(_ ids: [String]) async throws(GoogleCallFailure) -> [GoogleOrder] {
        guard ids.count > 1 else {
            guard let id = ids.first else { return [] }
            return try await known(id).map { [$0] } ?? []
        }
        do throws(GoogleCallFailure) {
            let query = try ids.map { id throws(GoogleCallFailure) in ("orderIds", try Self.name(id)) }
            return try await ask(GoogleCall("GET", [.path("/orders:batchGet")], query: query)) {
                json throws(GatewayError) in
                let fields = try JSONFields(json, of: "orders")
                guard case .array(let members)? = fields.value("orders") else {
                    throw GatewayError(.missing, "Google's answer has no orders.")
                }
                var orders: [GoogleOrder] = []
                for member in members { orders.append(try GoogleOrder(member)) }
                guard Set(orders.map(\.id.text)) == Set(ids) else {
                    throw GatewayError(.malformed, "Google answered with other orders.")
                }
                return orders
            }
        } catch {
            guard error.failure.refusal != nil else { throw error }
            var orders: [GoogleOrder] = []
            for id in ids {
                if let order = try await known(id) { orders.append(order) }
            }
            return orders
        }
    }

    /// nil for an order that Google does not know.
    func known(_ id: String) async throws(GoogleCallFailure) -> GoogleOrder? {
        do throws(GoogleCallFailure) {
            return try await order(id)
        } catch {
            guard error.isUnknown else { throw error }
            return nil
        }
    }

    /// orders.refund: the whole order. Asked once; whether it was done the order itself says.
    func refund(_ id: String, revoking: Bool) async throws(GoogleCallFailure) {
        try await ask(
            GoogleCall(
                "POST",
                [.path("/orders/"), .segment(try Self.name(id)), .path(":refund")],
                query: [("revoke", revoking ? "true" : "false")],
                isRepeatable: false,
                answersWithBody: false
            )
        ) { _ in }
    }

    /// orders.reviewrefund: what we think of giving an order's money back.
    func review(
        _ id: String,
        _ preference: RefundPreference,
        token: String,
        percentage: Int?,
        providesSamples: Bool
    ) async throws(GoogleCallFailure) {
        var body: JSON = [
            "pendingRefundToken": .string(token), "refundPreference": .string(preference.googleWord),
            "sampleContentProvided": .bool(providesSamples),
        ]
        if let percentage {
            body["consumptionPercentageMilliunits"] = .integer(Int64(min(max(0, percentage), 100_000)))
        }
        try await ask(
            GoogleCall(
                "POST",
                [.path("/orders/"), .segment(try Self.name(id)), .path(":reviewrefund")],
                body: body,
                answersWithBody: false
            )
        ) { _ in }
    }
}

extension RefundPreference {
    /// Google knows no part of an order: what is only in part for giving it back leaves it to Google.
    fileprivate var googleWord: String {
        switch self {
        case .grantFull: "APPROVE"
        case .grantProrated: "NEUTRAL"
        case .decline: "DECLINE"
        }
    }
}
