import HTTP
import Hummingbird
import Operations
import ServiceLifecycle
import Storage

/// Holds a call until its customer's entitlement has a newer version, or its time is over.
struct EntitlementWait: Sendable {
    private let session: CustomerSession
    private let version: Int
    private let limit: Duration

    static let parameters: [any QueryParameterDescription] = [after, wait]

    private static let after = QueryParameter.number(
        "after",
        0...1_000_000_000_000_000,
        "A version that the app has. With `wait`, the answer is a newer one, or after that time the one that there is."
    )
    private static let wait = QueryParameter.number("wait", 0...30, "How many seconds to wait for it at most.")

    /// - Throws: `WebError` with `.invalid` for a number out of range, and for a wait for nothing.
    init(_ call: CustomerRequest) throws {
        let parameters = ListParameters(call.query)
        let seconds = try parameters.value(Self.wait) ?? 0
        let version = try parameters.value(Self.after)
        guard version != nil || seconds == 0 else {
            throw WebError(FieldProblem("after", .missing))
        }
        session = call.session
        self.version = version ?? 0
        limit = .seconds(seconds)
    }

    /// Returns the session as it is once there is a newer version, or nobody waits any longer.
    ///
    /// - Throws: `WebError` with `.unauthenticated` where the session ended meanwhile.
    func session(_ backOffice: BackOffice) async throws -> CustomerSession {
        guard limit > .zero, session.version <= version else { return session }
        try await wait(backOffice.entitlementWatch)
        let now = try await backOffice.database.readPrimary { try await $0.customerSession(session.id) }
        guard let now else { throw WebError(.unauthenticated, "The session has ended.") }
        return now
    }

    /// Waits until there is a newer version, the time is over, or the server stops.
    private func wait(_ watch: EntitlementWatch) async throws {
        let end = ContinuousClock.now + limit
        watch.join(session.id)
        defer { watch.leave(session.id) }
        while ContinuousClock.now < end {
            switch try await watch.look(for: session.id) {
            case .version(let current) where current > version: return
            case .ended: return
            case .version, .unknown: break
            }
            let pause = min(EntitlementWatch.interval, end - .now)
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }) != nil else { return }
        }
    }
}
