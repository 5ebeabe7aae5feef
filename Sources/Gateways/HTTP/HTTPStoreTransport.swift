import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Asks stores over the network, with one pool of connections for the whole process.
///
/// Redirects are never followed: a store's address is what the settings say, and what is sent carries secrets.
package struct HTTPStoreTransport: StoreTransport {
    package init() {}

    package func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        guard let url = URL(string: request.url), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false
        else {
            throw GatewayError(.misconfigured, "The address of the store is no HTTP address.")
        }
        do {
            return try await withThrowingTaskGroup(of: StoreResponse?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await answer(to: request) }
                group.addTask {
                    try await Task.sleep(for: request.timeout)
                    return nil
                }
                guard let answer = try await group.next() ?? nil else { throw HTTPClientError.deadlineExceeded }
                return answer
            }
        } catch is NIOTooManyBytesError {
            throw GatewayError(.malformed, "The store's answer is longer than \(request.longestAnswer) bytes.")
        } catch let error as HTTPClientError where Self.late.contains(error) {
            throw GatewayError(.unreachable, "The store did not answer in time.", underlying: error)
        } catch {
            throw GatewayError(.unreachable, "The store could not be reached.", underlying: error)
        }
    }

    private func answer(to request: StoreRequest) async throws -> StoreResponse {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            outgoing.headers.add(name: name, value: value)
        }
        if let body = request.body { outgoing.body = .bytes(Array(body)) }
        // The task's own end is the limit; this one only keeps a lost connection from being waited for.
        let response = try await Self.client.execute(outgoing, timeout: .seconds(600))
        let body = try await response.body.collect(upTo: request.longestAnswer)
        return StoreResponse(
            status: Int(response.status.code),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" },
            body: Data(body.readableBytesView)
        )
    }

    private static let late: [HTTPClientError] = [.deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout]

    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(5)
        // Who asks decides what is asked again.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

extension GatewayError {
    /// Whether the store took the question and was then silent for too long: what was asked for may have been done.
    package var isLate: Bool {
        guard code == .unreachable, let error = underlying as? HTTPClientError else { return false }
        return error == .deadlineExceeded || error == .readTimeout
    }
}
