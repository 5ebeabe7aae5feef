import Foundation

/// One question to WeChat Pay: its bytes are signed exactly as they are sent.
struct WeChatPayCall: Sendable {
    let endpoint: WeChatPayEndpoint
    /// Path and query, escaped.
    let target: String
    /// Empty of a GET.
    let body: [UInt8]
    /// The key that some of it is encrypted with; nil where nothing is.
    var encryptedFor: WeChatPaySerial?

    init(_ endpoint: WeChatPayEndpoint, _ path: String, query: [(String, String)] = [], body: JSON? = nil) {
        self.endpoint = endpoint
        target = query.isEmpty ? path : "\(path)?\(FormFields.encode(query))"
        self.body = body?.bytes ?? []
    }

    /// - Parameter nonce: 32 letters and digits at most, another for each attempt.
    /// - Throws: `.misconfigured` where the key does not sign.
    func request(
        to address: String,
        for merchant: WeChatPayConfiguration,
        at now: Date,
        nonce: String
    ) throws(GatewayError) -> StoreRequest {
        let seconds = Int64(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
        var headers = [
            "Accept": "application/json", "User-Agent": "Perennial",
            "Authorization": try merchant.signer.authorization(
                endpoint.method,
                target,
                body,
                timestamp: seconds,
                nonce: nonce
            ),
        ]
        // Tells WeChat Pay which key to sign the answer with.
        if let serial = encryptedFor ?? merchant.publicKey?.id { headers["Wechatpay-Serial"] = serial.text }
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        return StoreRequest(
            endpoint.method,
            address + target,
            headers: headers,
            body: body.isEmpty ? nil : Data(body),
            timeout: .seconds(10),
            longestAnswer: endpoint == .billFile ? 64 << 20 : 1 << 20,
            asker: merchant.merchantID
        )
    }
}
