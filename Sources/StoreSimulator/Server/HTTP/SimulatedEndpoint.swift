package import Gateways

/// Something more that the simulated store answers: receipts, sign-in.
package struct SimulatedEndpoint: Sendable {
    package typealias Answer = @Sendable (SimulatedRequest) async -> StoreResponse

    package let method: String
    /// Exact, without a query.
    package let path: String
    package let answer: Answer

    package init(_ method: String, _ path: String, answer: @escaping Answer) {
        self.method = method
        self.path = path
        self.answer = answer
    }
}
