import Billing
import Foundation
import Synchronization

/// Asks Apple about one app: the App Store Server API, with its token, its limits and its errors (stores/apple.md, 2).
///
/// If a transaction's environment is not known, production is asked first and the sandbox second; the answer names its environment.
package final class AppleServerAPI: Sendable {
    package let credentials: AppleServerCredentials
    private let hosts: AppleServerHosts
    private let transport: any StoreTransport
    private let policy: AppleRetryPolicy
    private let clock: AppleServerClock
    private let timeout: Duration
    private let pace: Mutex<AppleServerPace>

    /// - Parameter timeout: the time limit for one answer.
    package init(
        _ credentials: AppleServerCredentials,
        hosts: AppleServerHosts = .apple,
        transport: any StoreTransport = HTTPStoreTransport(),
        policy: AppleRetryPolicy = .standard,
        clock: AppleServerClock = .system,
        timeout: Duration = .seconds(30)
    ) {
        self.credentials = credentials
        self.hosts = hosts
        self.transport = transport
        self.policy = policy
        self.clock = clock
        self.timeout = timeout
        pace = Mutex(AppleServerPace())
    }

    /// Asks until there is an answer or a reason to stop.
    func ask<Content: Sendable>(
        _ call: AppleServerCall,
        in environment: StoreEnvironment?,
        isFresh: Bool = false,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(AppleServerError) -> AppleServerAnswer<Content> {
        var attempts = AppleServerAttempts(in: environment, isFresh: isFresh, policy: policy)
        while true {
            let environment = attempts.environment
            do throws(AppleServerError) {
                let json = try await attempt(call, in: environment)
                do throws(GatewayError) {
                    return AppleServerAnswer(environment: environment, content: try read(json), json: json)
                } catch {
                    throw AppleServerError(call.endpoint, in: environment, httpStatus: 200, cause: error)
                }
            } catch {
                switch attempts.next(after: error, at: clock.now(), jitter: clock.jitter()) {
                case .ask(_, let pause): try await wait(pause, before: call, in: environment)
                case .giveUp: throw error
                }
            }
        }
    }

    /// Makes a call with an id in its path.
    func ask<Content: Sendable>(
        _ endpoint: AppleEndpoint,
        about ids: [String],
        in environment: StoreEnvironment?,
        isFresh: Bool = false,
        query: [(name: String, value: String)] = [],
        body: JSON? = nil,
        path: ([String]) -> String,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(AppleServerError) -> AppleServerAnswer<Content> {
        let segments = ids.compactMap(AppleServerCall.segment)
        guard segments.count == ids.count else {
            throw AppleServerError(
                endpoint,
                in: environment ?? .production,
                rawCode: endpoint.invalidID.rawValue,
                message: "The id is empty, too long, or no id."
            )
        }
        let call = AppleServerCall(endpoint, path(segments), query: query, body: body)
        return try await ask(call, in: environment, isFresh: isFresh, read: read)
    }

    private func attempt(
        _ call: AppleServerCall,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> JSON {
        try await takePlace(for: call, in: environment)
        let response: StoreResponse
        do {
            let token = try credentials.bearerToken(at: clock.now())
            var request = call.request(to: hosts[environment], bearer: token, timeout: timeout)
            request.asker = credentials.bundleID
            response = try await transport.send(request)
        } catch {
            throw AppleServerError(call.endpoint, in: environment, cause: error)
        }
        // Apple's successes are these two; another status between them and 300 is of something on the way.
        guard response.status == 200 || response.status == 202 else {
            throw AppleServerError(response, to: call.endpoint, in: environment, at: clock.now())
        }
        do {
            return try Self.body(of: response, to: call.endpoint)
        } catch {
            throw AppleServerError(
                call.endpoint,
                in: environment,
                httpStatus: response.status,
                stray: response.strayWords,
                cause: error
            )
        }
    }

    /// A page of a proxy must not pass for a success that has no body.
    private static func body(
        of response: StoreResponse,
        to endpoint: AppleEndpoint
    ) throws(GatewayError) -> JSON {
        guard endpoint.answersWithBody else {
            if endpoint.mayAnswerWithBody, case .object = try? JSON(parsing: Array(response.body)) { return .null }
            guard response.body.isEmpty else {
                throw GatewayError(.malformed, "The answer has a body, which Apple's has not.")
            }
            return .null
        }
        guard !response.body.isEmpty else { throw GatewayError(.malformed, "The answer is empty.") }
        return try JSON(parsing: Array(response.body))
    }

    /// Below Apple's limits; what would have to wait for too long is refused here, as Apple would.
    private func takePlace(for call: AppleServerCall, in environment: StoreEnvironment) async throws(AppleServerError) {
        let now = clock.now()
        let wait = pace.withLock {
            $0.reserve(call.endpoint, in: environment, at: now, waitingAtMost: policy.longestWait)
        }
        guard let wait else {
            throw AppleServerError(
                call.endpoint,
                in: environment,
                rawCode: AppleErrorCode.rateLimitExceeded.rawValue,
                message: "Apple's limit of such calls is used up."
            )
        }
        try await self.wait(wait, before: call, in: environment)
    }

    private func wait(
        _ duration: Duration,
        before call: AppleServerCall,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) {
        guard duration > .zero else { return }
        do {
            try await clock.sleep(duration)
        } catch {
            throw AppleServerError(
                call.endpoint,
                in: environment,
                cause: GatewayError(.unreachable, "The question was given up.", underlying: error)
            )
        }
    }
}
