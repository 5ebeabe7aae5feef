package import Gateways

/// Asks stores over the network and waits long for their answers: the limits of the product's own calls are meant for stores, and a test's
/// machine runs both sides, beside other programs.
package struct PatientTransport: StoreTransport {
    private let network = HTTPStoreTransport()

    package init() {}

    package func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        var request = request
        request.timeout = max(request.timeout, .patient)
        return try await network.send(request)
    }
}
