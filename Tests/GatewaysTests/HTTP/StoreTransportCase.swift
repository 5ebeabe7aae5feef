import Foundation
import Gateways
import Testing

/// What came of asking a store, and how long it took.
struct TransportResult {
    let outcome: Result<StoreResponse, GatewayError>
    let time: Duration

    var code: GatewayError.Code? {
        if case .failure(let error) = outcome { error.code } else { nil }
    }

    var error: GatewayError? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    var reason: TransportFailure.Reason? { (error?.underlying as? TransportFailure)?.reason }

    var body: String? {
        if case .success(let response) = outcome { String(decoding: response.body, as: UTF8.self) } else { nil }
    }

    static func of(_ request: StoreRequest, over transport: HTTPStoreTransport = HTTPStoreTransport()) async -> Self {
        let start = ContinuousClock.now
        do throws(GatewayError) {
            let response = try await transport.send(request)
            return TransportResult(outcome: .success(response), time: ContinuousClock.now - start)
        } catch {
            return TransportResult(outcome: .failure(error), time: ContinuousClock.now - start)
        }
    }
}
