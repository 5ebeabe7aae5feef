import Foundation
import Gateways
import Synchronization

extension Delivery {
    /// Signs and sends all notifications. Messages that the server cannot take now are sent again with growing pauses, so that a
    /// restart of the server loses none.
    ///
    /// - Parameter progress: called after each message, from any task.
    package func send(
        _ notifications: [SimulatedNotification],
        signedBy signer: AppleSigner,
        progress: @escaping @Sendable (DeliveryReport) -> Void = { _ in }
    ) async throws -> DeliveryReport {
        try await send(count: notifications.count, progress: progress) { try signer.sign(notifications[$0]) }
    }

    /// Sends payloads that are signed already, in the same way.
    package func send(
        signedPayloads: [String],
        progress: @escaping @Sendable (DeliveryReport) -> Void = { _ in }
    ) async throws -> DeliveryReport {
        try await send(count: signedPayloads.count, progress: progress) { signedPayloads[$0] }
    }

    private func send(
        count: Int,
        progress: @escaping @Sendable (DeliveryReport) -> Void,
        payload: @escaping @Sendable (Int) throws -> String
    ) async throws -> DeliveryReport {
        guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme), parsed.host != nil else {
            throw SimulatorError(.invalidURL, "\(url) is not an address to deliver to.")
        }
        let transport = HTTPStoreTransport(requestsPerHost: concurrency)
        let clock = ContinuousClock()
        let start = clock.now
        let board = ScoreBoard(positions: sequence(of: count))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, concurrency) {
                group.addTask {
                    while let position = board.next() {
                        let outcome = try await post(try payload(position), through: transport)
                        progress(board.record(outcome, after: clock.now - start))
                    }
                }
            }
            try await group.waitForAll()
        }
        return board.report(after: clock.now - start)
    }

    private func post(_ signedPayload: String, through transport: HTTPStoreTransport) async throws -> DeliveryOutcome {
        let request = StoreRequest(
            "POST",
            url,
            headers: ["Content-Type": "application/json", "User-Agent": "App Store Simulator"],
            body: Data((["signedPayload": .string(signedPayload)] as JSON).bytes)
        )
        let deadline = ContinuousClock.now + patience
        var outcome = DeliveryOutcome(status: 0, attempts: 0)
        var pause: Duration = .milliseconds(50)
        while true {
            outcome.status = await Self.attempt(request, through: transport)
            outcome.attempts += 1
            guard outcome.isWorthRetrying, ContinuousClock.now + pause < deadline else { return outcome }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(2))
        }
    }

    /// Returns the status of the answer; 0 where none came.
    private static func attempt(_ request: StoreRequest, through transport: HTTPStoreTransport) async -> Int {
        (try? await transport.send(request).status) ?? 0
    }
}

/// The progress of a delivery, shared by its senders: the messages still to send, and the results of the others.
private final class ScoreBoard: Sendable {
    private let positions: [Int]
    private let state = Mutex((next: 0, report: DeliveryReport()))

    init(positions: [Int]) {
        self.positions = positions
    }

    func next() -> Int? {
        state.withLock { state in
            guard state.next < positions.count else { return nil }
            defer { state.next += 1 }
            return positions[state.next]
        }
    }

    func record(_ outcome: DeliveryOutcome, after duration: Duration) -> DeliveryReport {
        state.withLock { state in
            state.report.record(outcome)
            state.report.duration = duration
            return state.report
        }
    }

    func report(after duration: Duration) -> DeliveryReport {
        state.withLock { state in
            state.report.duration = duration
            return state.report
        }
    }
}
