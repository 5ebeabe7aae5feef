import AsyncHTTPClient
import Foundation
import Gateways
import NIOCore
import NIOHTTP1
import Synchronization

extension Delivery {
    /// Signs and sends them all. Messages that the server cannot take now are sent again with growing pauses, so that
    /// a restart of the server loses none.
    ///
    /// - Parameter progress: called after each message, from any task.
    package func send(
        _ notifications: [SimulatedNotification],
        signedBy signer: AppleSigner,
        progress: @escaping @Sendable (DeliveryReport) -> Void = { _ in }
    ) async throws -> DeliveryReport {
        try await send(count: notifications.count, progress: progress) { try signer.sign(notifications[$0]) }
    }

    /// The same for payloads that are signed already.
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
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let clock = ContinuousClock()
        let start = clock.now
        let board = ScoreBoard(positions: sequence(of: count))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<max(1, concurrency) {
                    group.addTask {
                        while let position = board.next() {
                            let outcome = try await post(try payload(position), through: client)
                            progress(board.record(outcome, after: clock.now - start))
                        }
                    }
                }
                try await group.waitForAll()
            }
        } catch {
            try? await client.shutdown()
            throw error
        }
        try await client.shutdown()
        return board.report(after: clock.now - start)
    }

    private func post(_ signedPayload: String, through client: HTTPClient) async throws -> DeliveryOutcome {
        let body = (["signedPayload": .string(signedPayload)] as JSON).bytes
        let deadline = ContinuousClock.now + patience
        var outcome = DeliveryOutcome(status: 0, attempts: 0)
        var pause: Duration = .milliseconds(50)
        while true {
            outcome.status = await attempt(body, through: client)
            outcome.attempts += 1
            guard outcome.isWorthRetrying, ContinuousClock.now + pause < deadline else { return outcome }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(2))
        }
    }

    /// The status of the answer; 0 where none came.
    private func attempt(_ body: [UInt8], through client: HTTPClient) async -> Int {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "App Store Simulator")
        request.body = .bytes(body)
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            let status = Int(response.status.code)
            // Read to the end, so that the connection can be used again.
            for try await _ in response.body {}
            return status
        } catch {
            return 0
        }
    }

    private var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, concurrency)
        // Pauses are made here, where they are counted.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

/// What is still to send and what became of the rest, shared by the senders.
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
