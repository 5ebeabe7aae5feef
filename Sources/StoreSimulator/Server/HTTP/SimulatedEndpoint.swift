package import Gateways

/// Something more that the simulated store answers: receipts, sign-in.
package struct SimulatedEndpoint: Sendable {
    package typealias Answer = @Sendable (SimulatedRequest) async -> StoreResponse

    package let method: String
    /// Without a query; exact, or with a `*` at its end, in whose place anything may follow.
    package let path: String
    package let answer: Answer

    package init(_ method: String, _ path: String, answer: @escaping Answer) {
        self.method = method
        self.path = path
        self.answer = answer
    }

    func matches(_ request: SimulatedRequest) -> Bool {
        guard method == request.method else { return false }
        return path.hasSuffix("*") ? request.path.hasPrefix(path.dropLast()) : path == request.path
    }
}
