import Foundation

/// Asks WeChat Pay on behalf of one merchant: signed, verified, and repeated where that helps at once.
final class WeChatPayClient: Sendable {
    let merchant: WeChatPayConfiguration
    let keys: WeChatPayKeys
    let clock: AppleServerClock
    let nonce: @Sendable () -> String
    private let transport: any StoreTransport

    /// - Parameter nonce: 32 letters and digits at most, another each time.
    init(
        for merchant: WeChatPayConfiguration,
        over transport: any StoreTransport,
        clock: AppleServerClock,
        nonce: @escaping @Sendable () -> String
    ) {
        self.merchant = merchant
        self.transport = transport
        self.clock = clock
        self.nonce = nonce
        keys = WeChatPayKeys(of: merchant) { now in
            let call = WeChatPayCall(.certificates, "/v3/certificates")
            let address = merchant.addresses.first ?? WeChatPayConfiguration.address
            let request = try call.request(to: address, for: merchant, at: now, nonce: nonce())
            return try WeChatPayCertificates(try await transport.send(request), to: merchant, at: now).all
        }
    }

    /// - Parameter read: of an answer that WeChat Pay has signed; null of a success without a body.
    func ask<Content: Sendable>(
        _ call: WeChatPayCall,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(WeChatPayError) -> Content {
        try await repeating { address throws(WeChatPayError) in
            let response = try await self.send(call, to: address)
            do throws(GatewayError) {
                return try read(try await self.content(of: response, to: call.endpoint))
            } catch {
                throw WeChatPayError(
                    call.endpoint,
                    httpStatus: response.status,
                    stray: response.strayWords,
                    cause: error
                )
            }
        }
    }

    /// A file, which WeChat Pay does not sign: whoever asks knows its hash.
    func file(_ call: WeChatPayCall) async throws(WeChatPayError) -> [UInt8] {
        try await repeating { address throws(WeChatPayError) in
            Array(try await self.send(call, to: address).body)
        }
    }

    private func repeating<Content: Sendable>(
        _ attempt: (String) async throws(WeChatPayError) -> Content
    ) async throws(WeChatPayError) -> Content {
        var attempts = WeChatPayAttempts()
        while true {
            let addresses = merchant.addresses
            let address = addresses.isEmpty ? "" : addresses[attempts.address % addresses.count]
            do throws(WeChatPayError) {
                return try await attempt(address)
            } catch {
                guard let pause = attempts.next(after: error, jitter: clock.jitter()) else { throw error }
                do {
                    try await clock.sleep(pause)
                } catch let stop {
                    throw WeChatPayError(
                        error.endpoint,
                        cause: GatewayError(.unreachable, "The question was given up.", underlying: stop)
                    )
                }
            }
        }
    }

    /// - Returns: a success, not verified yet.
    private func send(_ call: WeChatPayCall, to address: String) async throws(WeChatPayError) -> StoreResponse {
        let response: StoreResponse
        let now = clock.now()
        do {
            response = try await transport.send(
                try call.request(to: address, for: merchant, at: now, nonce: nonce())
            )
        } catch {
            throw WeChatPayError(call.endpoint, cause: error)
        }
        // WeChat Pay's successes are these two; another status between them and 300 is of something on the way, or says "later".
        guard response.status == (call.endpoint.answersWithBody ? 200 : 204) else {
            let isSigned = (try? await verify(response)) != nil
            throw WeChatPayError(response, to: call.endpoint, isSigned: isSigned, at: clock.now())
        }
        return response
    }

    private func content(
        of response: StoreResponse,
        to endpoint: WeChatPayEndpoint
    ) async throws(GatewayError) -> JSON {
        try await verify(response)
        guard endpoint.answersWithBody else {
            guard response.body.isEmpty else {
                throw GatewayError(.malformed, "The answer has a body, which WeChat Pay's has not.")
            }
            return .null
        }
        return try JSON(parsingUnique: Array(response.body))
    }

    private func verify(_ response: StoreResponse) async throws(GatewayError) {
        let now = clock.now()
        let signature = try WeChatPaySignature(response.headers, Array(response.body), at: now)
        try signature.verify(by: try await keys.key(of: signature.serial, at: now))
    }
}
