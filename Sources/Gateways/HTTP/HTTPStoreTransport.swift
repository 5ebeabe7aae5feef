/// Asks stores over the network, with one pool of connections for the whole process.
///
/// Redirects are never followed: a store's address is what the settings say, and what is sent carries secrets. Nothing is
/// asked twice, not even where a connection breaks: who asks decides what is asked again.
package struct HTTPStoreTransport: StoreTransport {
    /// nil for the process's own, which begin with the first question: most commands ask no store.
    private let transfers: Transfers?
    private let options: TransferOptions

    /// - Parameters:
    ///   - proxy: the route to the stores; direct by default, whatever the environment says.
    ///   - requestsPerHost: the number of concurrent requests to one host; the others wait for their turn.
    package init(proxy: StoreProxy = .none, requestsPerHost: Int = TransferOptions.usualRequestsPerHost) {
        var options = TransferOptions()
        options.proxy = proxy
        options.requestsPerHost = max(1, requestsPerHost)
        self.init(transfers: nil, options: options)
    }

    init(transfers: Transfers? = nil, options: TransferOptions) {
        self.transfers = transfers
        self.options = options
    }

    package func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        guard let origin = Origin(of: request.url) else {
            throw GatewayError(.misconfigured, "The address of the store is no HTTP address.")
        }
        guard request.hasSendableHead else {
            throw GatewayError(.misconfigured, "The method or a header of the request cannot be sent.")
        }
        do throws(TransportFailure) {
            return try await (transfers ?? .shared).answer(to: request, at: origin, options)
        } catch {
            throw Self.gatewayError(error, of: request)
        }
    }

    private static func gatewayError(_ failure: TransportFailure, of request: StoreRequest) -> GatewayError {
        switch failure.reason {
        case .tooLong:
            GatewayError(
                .malformed,
                "The store's answer is longer than \(request.longestAnswer) bytes.",
                underlying: failure
            )
        case .headersTooLong:
            GatewayError(
                .malformed,
                "The headers of the store's answer are longer than \(TransferOptions.longestHead) bytes.",
                underlying: failure
            )
        case .timedOut, .connectTimedOut:
            GatewayError(.unreachable, "The store did not answer in time.", underlying: failure)
        case .invalidRequest:
            GatewayError(.misconfigured, "The address of the store is no HTTP address.", underlying: failure)
        case .unresolved, .refused, .tls, .cut, .notHTTP, .cancelled, .exhausted:
            GatewayError(.unreachable, "The store could not be reached.", underlying: failure)
        }
    }
}
