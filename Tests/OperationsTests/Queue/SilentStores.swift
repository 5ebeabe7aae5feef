import Billing
import Foundation
import Gateways
import Synchronization

/// The stores of many apps at one address; some answer no request, the others accept every one.
final class SilentStores: StoreTransport {
    private struct State {
        /// The number of requests taken, by app and by address.
        var taken: [String: [String: Int]] = [:]
        var waiting: [String: Int] = [:]
        var mostWaiting: [String: Int] = [:]
        var isOver = false
    }

    private let silent: Set<String>
    private let state = Mutex(State())

    /// - Parameter silent: the bundle ids of the apps whose store does not answer.
    init(silent: Set<String>) {
        self.silent = silent
    }

    /// Returns the number of answered requests to each address for an app.
    func taken(for app: String) -> [String: Int] { state.withLock { $0.taken[app] ?? [:] } }

    /// Returns the most requests for an app that were open at once.
    func mostWaiting(for app: String) -> Int { state.withLock { $0.mostWaiting[app] ?? 0 } }

    /// Ends the requests that wait.
    func end() {
        state.withLock { $0.isOver = true }
    }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        let app = request.asker ?? ""
        guard silent.contains(app) else {
            state.withLock { $0.taken[app, default: [:]][request.url, default: 0] += 1 }
            return StoreResponse(status: 202)
        }
        state.withLock { state in
            state.waiting[app, default: 0] += 1
            state.mostWaiting[app] = max(state.mostWaiting[app] ?? 0, state.waiting[app] ?? 0)
        }
        defer { state.withLock { $0.waiting[app, default: 0] -= 1 } }
        while !state.withLock(\.isOver) {
            do {
                try await Task.sleep(for: .milliseconds(100))
            } catch {
                break
            }
        }
        throw GatewayError(.unreachable, "The store did not answer in time.")
    }
}
