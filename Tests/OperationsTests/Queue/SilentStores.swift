import Billing
import Foundation
import Gateways
import Synchronization

/// The stores of many apps at one address: of some every question stays without an answer, of the others everything is taken.
final class SilentStores: StoreTransport {
    private struct State {
        /// By app, and what was asked.
        var taken: [String: [String: Int]] = [:]
        var waiting: [String: Int] = [:]
        var mostWaiting: [String: Int] = [:]
        var isOver = false
    }

    private let silent: Set<String>
    private let state = Mutex(State())

    /// - Parameter silent: the bundle ids of the apps whose store is.
    init(silent: Set<String>) {
        self.silent = silent
    }

    /// How often each address was asked for an app, and answered.
    func taken(for app: String) -> [String: Int] { state.withLock { $0.taken[app] ?? [:] } }

    /// How many questions for an app were open at once, at most.
    func mostWaiting(for app: String) -> Int { state.withLock { $0.mostWaiting[app] ?? 0 } }

    /// Ends what waits.
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
