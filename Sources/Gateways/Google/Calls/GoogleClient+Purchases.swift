import Billing
import Foundation

extension GoogleClient {
    /// purchases.subscriptionsv2.get
    ///
    /// - Parameter isFresh: whether the purchase may be too new for Google to know it.
    func subscription(_ token: String, isFresh: Bool = false) async throws(GoogleCallFailure) -> GoogleSubscription {
        try await answer(aboutSubscription: token, isFresh: isFresh).content
    }

    /// The same, with when it was asked for.
    func answer(
        aboutSubscription token: String,
        isFresh: Bool = false
    ) async throws(GoogleCallFailure) -> GoogleAnswer<GoogleSubscription> {
        try await answer(
            to: GoogleCall(
                "GET",
                [.path("/purchases/subscriptionsv2/tokens/"), .segment(try Self.name(token))],
                isFresh: isFresh,
                field: "purchaseToken"
            )
        ) { json throws(GatewayError) in try GoogleSubscription(json) }
    }

    /// purchases.productsv2.getproductpurchasev2
    func product(_ token: String, isFresh: Bool = false) async throws(GoogleCallFailure) -> GoogleProduct {
        try await answer(aboutProduct: token, isFresh: isFresh).content
    }

    /// The same, with when it was asked for.
    func answer(
        aboutProduct token: String,
        isFresh: Bool = false
    ) async throws(GoogleCallFailure) -> GoogleAnswer<GoogleProduct> {
        try await answer(
            to: GoogleCall(
                "GET",
                [.path("/purchases/productsv2/tokens/"), .segment(try Self.name(token))],
                isFresh: isFresh,
                field: "purchaseToken"
            )
        ) { json throws(GatewayError) in try GoogleProduct(json) }
    }

    /// purchases.subscriptions.acknowledge, the only one that there is; also of a subscription with things beside it the main product is
    /// named.
    func acknowledge(_ token: String, subscription productID: String) async throws(GoogleCallFailure) {
        try await ask(
            GoogleCall(
                "POST",
                [
                    .path("/purchases/subscriptions/"), .segment(try Self.name(productID)), .path("/tokens/"),
                    .segment(try Self.name(token)), .path(":acknowledge"),
                ],
                body: [:],
                answersWithBody: false
            )
        ) { _ in }
    }

    /// purchases.products.acknowledge
    func acknowledge(_ token: String, product productID: String) async throws(GoogleCallFailure) {
        try await ask(
            GoogleCall(
                "POST",
                [
                    .path("/purchases/products/"), .segment(try Self.name(productID)), .path("/tokens/"),
                    .segment(try Self.name(token)), .path(":acknowledge"),
                ],
                body: [:],
                answersWithBody: false
            )
        ) { _ in }
    }

    /// purchases.subscriptionsv2.cancel: what is paid for stays.
    func cancel(_ token: String, byUser: Bool) async throws(GoogleCallFailure) {
        let type: JSON = byUser ? "USER_REQUESTED_STOP_RENEWALS" : "DEVELOPER_REQUESTED_STOP_PAYMENTS"
        try await act(on: token, ":cancel", ["cancellationContext": ["cancellationType": type]])
    }

    /// purchases.subscriptionsv2.revoke: access ends, and money is given back.
    func revoke(_ token: String, _ refund: GoogleRevocation) async throws(GoogleCallFailure) {
        try await act(on: token, ":revoke", ["revocationContext": refund.json])
    }

    private func act(on token: String, _ verb: StaticString, _ body: JSON) async throws(GoogleCallFailure) {
        try await ask(
            GoogleCall(
                "POST",
                [.path("/purchases/subscriptionsv2/tokens/"), .segment(try Self.name(token)), .path(verb)],
                body: body,
                answersWithBody: false
            )
        ) { _ in }
    }

    /// purchases.subscriptionsv2.defer: the next charge comes that much later. Not asked twice: each time moves it.
    ///
    /// - Parameter etag: of the subscription as it was read; Google refuses another.
    /// - Returns: the new ends, by product.
    func postpone(
        _ token: String,
        by seconds: Int64,
        etag: String,
        isTrial: Bool = false
    ) async throws(GoogleCallFailure) -> [String: Date] {
        let context: JSON = [
            "deferDuration": .string("\(seconds)s"), "etag": .string(etag), "validateOnly": .bool(isTrial),
        ]
        return try await ask(
            GoogleCall(
                "POST",
                [.path("/purchases/subscriptionsv2/tokens/"), .segment(try Self.name(token)), .path(":defer")],
                body: ["deferralContext": context],
                isRepeatable: false
            )
        ) { json throws(GatewayError) in
            let fields = try JSONFields(json, of: "deferral")
            let details = try fields.list("itemExpiryTimeDetails", of: "deferred item") {
                item throws(GatewayError) -> (String, Date) in
                guard let product = try item.name("productId"), let end = try item.timestamp("expiryTime") else {
                    throw GatewayError(.missing, "A deferred item has no product or no end.")
                }
                return (product, end)
            }
            guard !details.isEmpty else { throw GatewayError(.missing, "Google's answer names no deferred item.") }
            return Dictionary(details) { first, _ in first }
        }
    }

    /// purchases.voidedpurchases.list, subscriptions included, a page at a time.
    func voidedPurchases(
        from start: Date,
        to end: Date,
        page: String?
    ) async throws(GoogleCallFailure) -> GoogleVoidedPurchases {
        var query = [
            ("type", "1"), ("startTime", String(start.appleMilliseconds)), ("endTime", String(end.appleMilliseconds)),
            ("maxResults", "1000"), ("includeQuantityBasedPartialRefund", "true"),
        ]
        if let page { query.append(("token", page)) }
        return try await ask(GoogleCall("GET", [.path("/purchases/voidedpurchases")], query: query)) {
            json throws(GatewayError) in try GoogleVoidedPurchases(json)
        }
    }

    /// - Throws: `.refused` for what no address can hold: Google would not know it.
    static func name(_ text: String) throws(GoogleCallFailure) -> String {
        guard text.isGoogleName else {
            throw GoogleCallFailure(
                .refused(StoreRefusal(GatewayError(.malformed, "This is no token and no id of Google's.")))
            )
        }
        return text
    }
}

/// The amount that is given back when access is taken away.
enum GoogleRevocation: Hashable, Sendable {
    case full
    /// For the time that is left.
    case prorated
    /// Of one of several items.
    case item(String)

    fileprivate var json: JSON {
        switch self {
        case .full: ["fullRefund": [:]]
        case .prorated: ["proratedRefund": [:]]
        case .item(let product): ["itemBasedRefund": ["productId": .string(product)]]
        }
    }
}
