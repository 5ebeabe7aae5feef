import Foundation
import Gateways
import Testing

/// The outcome of a request to a store.
struct TransportResult {
    let outcome: Result<StoreResponse, GatewayError>

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

    /// Sends a request with longer and longer timeouts, until one does not time out while connecting: that may take long where
    /// other
    /// programs keep the machine busy.
    static func untilAsked(_ request: StoreRequest) async -> Self {
        var request = request
        for timeout: Duration in [.milliseconds(300), .seconds(1)] {
            request.timeout = timeout
            let result = await of(request)
            guard result.reason == .connectTimedOut else { return result }
        }
        request.timeout = .seconds(30)
        return await of(request)
    }

    static func of(_ request: StoreRequest, over transport: HTTPStoreTransport = HTTPStoreTransport()) async -> Self {
        do throws(GatewayError) {
            let response = try await transport.send(request)
            return TransportResult(outcome: .success(response))
        } catch {
            return TransportResult(outcome: .failure(error))
        }
    }
}
