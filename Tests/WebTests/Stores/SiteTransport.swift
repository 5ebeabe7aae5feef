import Foundation
import Gateways
import HTTPTypes
import NIOCore
import RouterTesting
import Synchronization

/// Carries what a simulated store sends to the site under test, whatever host it was told.
final class SiteTransport: StoreTransport {
    private let client = Mutex<TestClient?>(nil)
    private let list = Mutex<[StoreResponse]>([])

    /// The site's answers, in order.
    var answers: [StoreResponse] { list.withLock { $0 } }

    func open(to client: TestClient) {
        self.client.withLock { $0 = client }
    }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        guard let client = client.withLock({ $0 }) else {
            throw GatewayError(.unreachable, "The site is not open yet.")
        }
        var headers = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        do {
            let answer = try await client.executeRequest(
                uri: request.url.replacing(/^https?:\/\/[^\/]*/, with: ""),
                method: .post,
                headers: headers,
                body: ByteBuffer(bytes: request.body ?? Data())
            )
            let response = StoreResponse(status: answer.status.code, body: Data(answer.body.readableBytesView))
            list.withLock { $0.append(response) }
            return response
        } catch {
            throw GatewayError(.unreachable, "The site did not answer.", underlying: error)
        }
    }
}
