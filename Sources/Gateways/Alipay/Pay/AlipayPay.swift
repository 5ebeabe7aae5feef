import Foundation

/// Alipay's payments for one app: orders, refunds and bills, over its OpenAPI (payments.md, 1C).
///
/// Each question is asked once; whoever asks decides what is asked again. An answer is believed by its signature and by the numbers
/// that it repeats: Alipay's answers have no nonce, and that of another order is signed just as well.
package struct AlipayPay: Sendable {
    let app: AlipayConfiguration
    /// The merchant who has to be paid.
    package let sellerID: String
    let transport: any StoreTransport
    let clock: AppleServerClock
    private let timeout: Duration

    /// - Returns: nil for an app that does not name its seller.
    init?(
        for app: AlipayConfiguration,
        over transport: any StoreTransport,
        clock: AppleServerClock,
        timeout: Duration = .seconds(10)
    ) {
        guard let sellerID = app.sellerID else { return nil }
        self.app = app
        self.sellerID = sellerID
        self.transport = transport
        self.clock = clock
        self.timeout = timeout
    }

    func ask(_ call: AlipayCall, _ content: JSON) async throws(StoreFailure) -> AlipayReply {
        try await ask(call, try signed(call, content))
    }

    /// Asks once. Whatever is no answer of Alipay's is not known yet.
    func ask(_ call: AlipayCall, _ request: AlipayRequest) async throws(StoreFailure) -> AlipayReply {
        var question = request.request(to: app.gateway)
        question.timeout = timeout
        question.longestAnswer = Self.longestAnswer
        let answer: StoreResponse
        do {
            answer = try await transport.send(question)
        } catch {
            throw StoreFailure(refusal: nil, else: error)
        }
        guard answer.status == 200 else {
            let isBusy = answer.status == 429 || answer.status >= 500
            throw StoreFailure(
                unreadable: GatewayError(isBusy ? .unreachable : .malformed, "Alipay answered \(answer.status).")
            )
        }
        return try StoreFailure.reading { () throws(GatewayError) in
            let signers = app.keys.signers
            return AlipayReply(
                to: call,
                try AlipayResponse(Array(answer.body), to: call.method, from: signers, at: clock.now())
            )
        }
    }

    /// A call with its signature: for Alipay, or for a browser or an app to carry there.
    func signed(
        _ call: AlipayCall,
        _ content: JSON,
        besides parameters: [(String, String)] = []
    ) throws(StoreFailure) -> AlipayRequest {
        try StoreFailure.reading { () throws(GatewayError) in
            try AlipayRequest(
                call.method,
                [("biz_content", String(decoding: content.bytes, as: UTF8.self))] + parameters,
                for: app,
                at: clock.now()
            )
        }
    }

    /// An order with a hundred coupons has a few KiB.
    private static let longestAnswer = 1 << 20
}
