import Foundation
import Gateways

/// Serves a simulated store that is made of endpoints: its own, and those that drive it from another process.
package final class SimulatedStoreServer: Sendable {
    private let listener: SimulatedListener
    private let deliverDue: @Sendable () async -> Void

    /// - Parameters:
    ///   - endpoints: the store's own.
    ///   - deliverDue: sends the notifications that are due.
    package init(
        clock: SimulatedClock,
        endpoints: [SimulatedEndpoint],
        deliverDue: @escaping @Sendable () async -> Void
    ) {
        let faults = SimulatedFaults()
        let all = Self.desk(clock, deliverDue) + faults.desk + endpoints
        self.deliverDue = deliverDue
        listener = SimulatedListener { request in
            await faults.reply(to: request, at: clock.now) {
                guard let endpoint = all.first(where: { $0.matches(request) }) else {
                    return .response(StoreResponse(status: 404))
                }
                return .response(await endpoint.answer(request))
            }
        }
    }

    /// Listens on loopback.
    ///
    /// - Parameter port: 0 for any.
    /// - Throws: `.unusablePort`
    package func start(port: Int = 0) async throws(SimulatorError) {
        try await listener.startOrRefuse(port: port)
    }

    package func stop() async { await listener.stop() }

    package var url: String { "http://127.0.0.1:\(listener.port)" }

    /// Looks every second for notifications that are due, until the task is cancelled.
    package func deliverForever() async {
        while !Task.isCancelled {
            await deliverDue()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Time and deliveries.
    static func desk(_ clock: SimulatedClock, _ deliverDue: @escaping @Sendable () async -> Void) -> [SimulatedEndpoint]
    {
        [
            .desk("POST", "clock", ["advanceSeconds"]) { fields in
                clock.advance(by: TimeInterval(try fields.whole("advanceSeconds", in: 0...315_360_000)))
                await deliverDue()
                return ["now": .string(clock.now.formatted(.iso8601))]
            },
            .desk("POST", "deliver") { _ in
                await deliverDue()
                return [:]
            },
        ]
    }
}

extension SimulatedListener {
    func startOrRefuse(port: Int) async throws(SimulatorError) {
        do {
            try await start(port: port)
        } catch {
            throw SimulatorError(.unusablePort, "Port \(port) cannot be listened on.", underlying: error)
        }
    }
}
