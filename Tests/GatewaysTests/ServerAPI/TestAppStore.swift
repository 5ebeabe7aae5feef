import Billing
import Foundation
import Gateways
import StoreSimulator

/// The simulated App Store with simulated customers, and its client.
final class TestAppStore: Sendable {
    let server: SimulatedAppleServer
    let app: AppleConfiguration
    let told: [SimulatedNotification]
    let verifier = AppleVerifier()

    /// - Parameter customers: the number of customers; 0 for an App Store without any.
    init(
        customers: Int = 40,
        months: Int = 26,
        as delivery: SimulatedDelivery = .arrived,
        clock: SimulatedClock = SimulatedClock(),
        endpoints: [SimulatedEndpoint] = []
    ) async throws {
        let authority = try TestAuthority()
        server = SimulatedAppleServer(
            authority: authority,
            webhook: nil,
            clock: clock,
            endpoints: endpoints
        )
        app = try AppleConfiguration(
            bundleID: SimulatedCatalog.readmigo.bundleID,
            appAppleID: SimulatedCatalog.readmigo.appAppleID,
            mode: .simulator(anchors: [authority.root])
        )
        told = SimulatedSubscribers(seed: 21, customers: customers, months: months, endingAt: clock.now).notifications()
        server.record(told, as: delivery)
        try await server.start()
    }

    /// - Parameter pauses: the pauses between retries; by default a thousandth of Apple's.
    func api(
        pauses: [Duration] = [.milliseconds(1), .milliseconds(2), .milliseconds(4), .milliseconds(8)],
        timeout: Duration = .seconds(30)
    ) throws -> AppleServerAPI {
        AppleServerAPI(
            try server.key.credentials(bundleID: app.bundleID),
            hosts: try server.hosts,
            policy: AppleRetryPolicy(pauses: pauses, longestWait: .seconds(5)),
            clock: AppleServerClock(
                now: { [server] in server.clock.now },
                sleep: { try await Task.sleep(for: $0) },
                jitter: { 0 }
            ),
            timeout: timeout
        )
    }

    /// Returns the newest transactions of subscriptions that are active, paid and the customer's own; those with most renewals
    /// first.
    func active() -> [SimulatedTransaction] { Self.active(in: told) }

    static func active(in told: [SimulatedNotification]) -> [SimulatedTransaction] {
        var last: [String: SimulatedNotification] = [:]
        var counts: [String: Set<String>] = [:]
        for notification in told where notification.environment == .production {
            guard let transaction = notification.transaction else { continue }
            last[transaction.originalID] = notification
            counts[transaction.originalID, default: []].insert(transaction.id)
        }
        return last.values
            .filter {
                $0.status == 1 && $0.transaction?.isFamilyShared == false && $0.transaction?.isFreeTrial == false
            }
            .compactMap(\.transaction)
            .sorted { (counts[$0.originalID]?.count ?? 0, $0.id) > (counts[$1.originalID]?.count ?? 0, $1.id) }
    }

    func now() -> Date { server.clock.now }
}
