package import Billing
package import Foundation
package import Gateways
import Synchronization

/// The App Store over HTTP: its Server API over what it was told, its notifications with their attempts, its moods.
///
/// Production answers below `/`, the sandbox below `/sandbox`.
package final class SimulatedAppleServer: Sendable {
    package let key: SimulatedAPIKey
    package let clock: SimulatedClock
    package let bundleID: String
    let transport: any StoreTransport
    let signer: AppleSigner
    let state: Mutex<State>
    private let endpoints: [SimulatedEndpoint]
    private let listener: Mutex<SimulatedListener?>

    /// - Parameter webhook: where notifications go to; nil where the app has no address.
    /// - Parameter endpoints: what else it answers; at their own paths, without a token.
    package init(
        authority: TestAuthority,
        key: SimulatedAPIKey = SimulatedAPIKey(),
        bundleID: String = SimulatedCatalog.readmigo.bundleID,
        appAppleID: Int64 = SimulatedCatalog.readmigo.appAppleID,
        webhook: String? = nil,
        clock: SimulatedClock = SimulatedClock(),
        endpoints: [SimulatedEndpoint] = [],
        transport: any StoreTransport = HTTPStoreTransport()
    ) {
        self.key = key
        self.clock = clock
        self.bundleID = bundleID
        self.endpoints = endpoints
        self.transport = transport
        signer = AppleSigner(authority: authority)
        state = Mutex(State(bundleID: bundleID, appAppleID: appAppleID, webhook: webhook))
        listener = Mutex(nil)
    }

    /// Listens on loopback.
    ///
    /// - Parameter port: 0 for any; after a stop, the one of before.
    package func start(port: Int = 0) async throws {
        let listener = listener.withLock { known in
            let listener = known ?? SimulatedListener { [weak self] in await self?.reply(to: $0) ?? .hangUp }
            known = listener
            return listener
        }
        try await listener.start(port: port)
    }

    /// Connections are refused until it is started again; what it knows stays.
    package func stop() async {
        await listener.withLock { $0 }?.stop()
    }

    package var port: Int { listener.withLock { $0 }?.port ?? 0 }

    /// The base URL of an environment.
    package func url(of environment: StoreEnvironment = .production) -> String {
        switch environment {
        case .production: "http://127.0.0.1:\(port)"
        case .sandbox: "http://127.0.0.1:\(port)/sandbox"
        }
    }

    /// For whoever does not know environments.
    package var sandboxURL: String { url(of: .sandbox) }

    /// The addresses that a client asks.
    package var hosts: AppleServerHosts {
        get throws(GatewayError) {
            try AppleServerHosts(production: url(of: .production), sandbox: url(of: .sandbox), isSimulated: true)
        }
    }

    /// Takes down what happened; in the order of its signing.
    package func record(_ messages: [SimulatedMessage], as delivery: SimulatedDelivery) {
        let now = clock.now
        state.withLock { state in
            for message in messages { state[message.environment].record(message, as: delivery, at: now) }
        }
    }

    package func record(_ notifications: [SimulatedNotification], as delivery: SimulatedDelivery) {
        record(notifications.map(SimulatedMessage.init), as: delivery)
    }

    /// From now on things go wrong in that way; faults are used up in their order.
    package func fail(_ faults: SimulatedFault...) {
        state.withLock { $0.faults += faults }
    }

    /// No fault is left.
    package func mend() {
        state.withLock { $0.faults = [] }
    }

    /// True if production knows the app; where not, it answers 401 to everything.
    package func setReleased(_ isReleased: Bool) {
        state.withLock { $0.isReleased = isReleased }
    }

    package func setWebhook(_ url: String?) {
        state.withLock { $0.webhook = url }
    }

    /// From now on each page of the history of notifications that has this one is cut in half; nil mends it.
    package func spoil(_ notification: UUID?) {
        state.withLock { state in
            state.production.spoiled = notification
            state.sandbox.spoiled = notification
        }
    }

    /// Places in the list of notifications that were given out before are refused as expired.
    package func expirePlaces() {
        state.withLock { state in
            state.production.paginationGeneration += 1
            state.sandbox.paginationGeneration += 1
        }
    }

    /// The paths that were asked for, in their order, with methods.
    package var asked: [String] { state.withLock { $0.asked } }

    package func sendings(in environment: StoreEnvironment = .production) -> [SimulatedSending] {
        state.withLock { $0[environment].sendings }
    }

    package func consumptions(in environment: StoreEnvironment = .production) -> [SimulatedConsumption] {
        state.withLock { $0[environment].consumptions }
    }

    /// A transaction as it stands now.
    package func transaction(_ id: String, in environment: StoreEnvironment = .production) -> JSON? {
        state.withLock { $0[environment].transactions[id]?.payload }
    }

    package func isFinished(_ id: String, in environment: StoreEnvironment = .production) -> Bool {
        state.withLock { $0[environment].finished.contains(id) }
    }

    private func reply(to request: SimulatedRequest) async -> SimulatedReply {
        let fault = state.withLock { state in
            state.asked.append("\(request.method) \(request.path)")
            return state.takeFault(on: request.path)
        }
        if let reply = fault?.replyBeforeEffect(at: clock.now) { return reply }
        let response = await answer(to: request)
        if case .late(let duration)? = fault {
            try? await Task.sleep(for: duration)
            return .response(response)
        }
        return fault?.replyAfterEffect(response) ?? .response(response)
    }

    private func answer(to request: SimulatedRequest) async -> StoreResponse {
        if let endpoint = endpoints.first(where: { $0.matches(request) }) {
            return await endpoint.answer(request)
        }
        if request.path.hasPrefix("/simulator/") { return await control(request) }
        let isSandbox = request.path.hasPrefix("/sandbox/")
        let environment: StoreEnvironment = isSandbox ? .sandbox : .production
        let inner = isSandbox ? request.at(String(request.path.dropFirst("/sandbox".count))) : request
        guard key.accepts(request.headers["authorization"], bundleID: bundleID, at: clock.tokenTime),
            environment == .sandbox || state.withLock({ $0.isReleased })
        else { return Self.unauthenticated }
        do {
            let now = clock.now
            let response = try state.withLock { state in
                let isReachable = state.webhook != nil
                return try state[environment].answer(inner, at: now, signedBy: signer, reachable: isReachable)
            }
            Task { await deliverDue() }
            return response
        } catch {
            return SimulatedRefusal(.generalInternal).response
        }
    }

    /// Not JSON, as Apple's is not.
    private static let unauthenticated = StoreResponse(
        status: 401,
        headers: ["content-type": "text/plain"],
        body: Data("Unauthenticated\n".utf8)
    )

    struct State {
        var production: SimulatedBooks
        var sandbox: SimulatedBooks
        var webhook: String?
        var faults: [SimulatedFault] = []
        var isReleased = true
        var asked: [String] = []

        init(bundleID: String, appAppleID: Int64, webhook: String?) {
            production = SimulatedBooks(environment: .production, bundleID: bundleID, appAppleID: appAppleID)
            sandbox = SimulatedBooks(environment: .sandbox, bundleID: bundleID, appAppleID: appAppleID)
            self.webhook = webhook
        }

        subscript(environment: StoreEnvironment) -> SimulatedBooks {
            _read {
                switch environment {
                case .production: yield production
                case .sandbox: yield sandbox
                }
            }
            _modify {
                switch environment {
                case .production: yield &production
                case .sandbox: yield &sandbox
                }
            }
        }

        mutating func takeFault(on path: String) -> SimulatedFault.Kind? {
            guard !path.hasPrefix("/simulator/"),
                let index = faults.firstIndex(where: { $0.path.map(path.contains) ?? true })
            else { return nil }
            let kind = faults[index].kind
            if faults[index].times > 1 { faults[index].times -= 1 } else { faults.remove(at: index) }
            return kind
        }
    }

}

extension SimulatedFault.Kind {
    /// nil where what was asked for is done first.
    func replyBeforeEffect(at now: Date) -> SimulatedReply? {
        switch self {
        case .tooManyRequests(let retryAfter):
            var response = SimulatedRefusal(.rateLimitExceeded).response
            if let retryAfter {
                let date = now.addingTimeInterval(retryAfter / .seconds(1))
                response.headers["retry-after"] = "\(date.milliseconds.integer ?? 0)"
            }
            return .response(response)
        case .status(let status):
            let page = Data("<html><body>\(status)</body></html>".utf8)
            return .response(StoreResponse(status: status, headers: ["content-type": "text/html"], body: page))
        case .error(let code):
            if let known = AppleErrorCode(rawValue: code) { return .response(SimulatedRefusal(known).response) }
            return .response(SimulatedRefusal.response(code: code, message: "Testing error."))
        case .malformed:
            let half = Data(#"{"signedTransactionInfo":"#.utf8)
            return .response(StoreResponse(status: 200, headers: ["content-type": "application/json"], body: half))
        case .silence: return .silence
        case .silenceAfterEffect, .hangUpAfterEffect, .cutAfterEffect, .late, .field: return nil
        }
    }

    func replyAfterEffect(_ response: StoreResponse) -> SimulatedReply? {
        switch self {
        case .silenceAfterEffect: .silence
        case .hangUpAfterEffect: .hangUp
        case .cutAfterEffect: .cut(response)
        case .field(let answer): .response(answer.spoiling(response))
        case .tooManyRequests, .status, .error, .malformed, .silence, .late: nil
        }
    }
}
