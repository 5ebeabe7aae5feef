extension JWTKeySet {
    /// The keys that an issuer publishes as a JWK set (RFC 7517).
    ///
    /// - Parameter canBeEmpty: true if the issuer may have no usable key at all; for others, such an answer counts as none.
    init(of owner: String, at url: String, canBeEmpty: Bool, pace: Pace, transport: any StoreTransport) {
        var request = StoreRequest("GET", url, headers: ["Accept": "application/json"], timeout: .seconds(5))
        request.longestAnswer = longestAnswer
        self.init(of: owner, pace: pace) { [request] _ in
            let response = try await transport.send(request)
            guard response.status == 200 else {
                throw GatewayError(.unreachable, "There are no keys in the answer (HTTP \(response.status)).")
            }
            let keys = try members(of: Array(response.body)).prefix(mostKeys).compactMap { JWTKey($0) }
            guard canBeEmpty || !keys.isEmpty else {
                throw GatewayError(.malformed, "There is no key in the answer that is good here.")
            }
            return keys
        }
    }
}

private let mostKeys = 64
/// In bytes.
private let longestAnswer = 256 << 10

private func members(of body: [UInt8]) throws(GatewayError) -> [JSON] {
    guard case .array(let members)? = try JSON(parsing: body)["keys"] else {
        throw GatewayError(.malformed, "The answer is not a set of keys.")
    }
    return members
}
