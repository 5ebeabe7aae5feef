import Foundation
package import Gateways
import Synchronization

extension SimulatedGoogle {
    /// Asks it without a network between.
    package var transport: any StoreTransport { SimulatedGoogleTransport(google: self) }

    /// Nobody is to get the pushes from that place on any more.
    func forgetPushes(from first: Int = 0) {
        state.withLock { state in
            for index in state.pushes.indices.dropFirst(first) { state.pushes[index].isDelivered = true }
        }
    }
}

private struct SimulatedGoogleTransport: StoreTransport {
    let google: SimulatedGoogle

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        guard let host = request.url.range(of: "://"),
            let path = request.url[host.upperBound...].firstIndex(of: "/")
        else { throw GatewayError(.unreachable, "The simulated store has no such address.") }
        let headers = Dictionary(request.headers.map { ($0.key.lowercased(), $0.value) }) { _, last in last }
        let reply = await google.reply(
            to: SimulatedRequest(
                method: request.method,
                target: String(request.url[path...]),
                headers: headers,
                body: request.body ?? Data()
            )
        )
        guard case .response(let response) = reply else {
            throw GatewayError(.unreachable, "The simulated store gave no answer.")
        }
        return response
    }
}
