import Billing
import Foundation
import Jobs
import Operations
import ServiceLifecycle
import Storage

/// Fills the demo once, says where it is, and waits for the end.
struct DemoFilling: Service {
    let script: DemoScript
    let parts: Parts
    /// The ports at which pages are served, once they are.
    let ports: AsyncStream<Int>
    let configuration: ServerConfiguration

    private var backOffice: BackOffice { parts.backOffice }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await self.fill()
                try await gracefulShutdown()
            }
        } catch  where Task.isShuttingDownGracefully {
            // Told to stop, perhaps in the middle; the next start goes on.
        }
    }

    private func fill() async throws {
        let catalog = try CatalogFile.read(script.catalog, simulator: script.authorityRoots)
        let isFilled = try await backOffice.isDemoFilled(app: catalog.app)
        if isFilled { backOffice.recording.turn(to: .whenApplied) } else { backOffice.filling.reach(0) }
        _ = try await backOffice.applyCatalog(catalog)
        try await backOffice.prepareDemoAccounts(password: script.password)
        var address = self.address(configuration.port)
        for await port in ports {
            address = self.address(port)
            break
        }
        try Task.checkCancellation()
        script.begin(isFilled ? nil : .filling)
        tellWhereToSignIn(address)
        try await backOffice.prepareDemoRates()
        if !isFilled { try await play(catalog, at: address) }
        try await backOffice.prepareDemoRefunds(app: catalog.app)
        backOffice.filling.end()
        script.begin(nil)
        script.say("\nPerennial is ready: http://\(address)\n")
    }

    private func play(_ catalog: Catalog, at address: String) async throws {
        // The history is heard as it happened, and worked on when all of it is there; what comes after it when it comes.
        try await script.play("http://\(address)/webhooks/apple") { reach($0 * Share.sent) }
        try await applyAll()
        backOffice.recording.turn(to: .whenApplied)
        _ = try await backOffice.patiently { try await backOffice.foldRollups() }
        reach(Share.applied)
        try await backOffice.identifyCustomers(
            script.people.map {
                CustomerIntroduction(appAccountToken: $0.appAccountToken, name: $0.name, email: $0.email)
            },
            toApp: catalog.app
        )
        try await backOffice.giveDemoGrants(app: catalog.app)
        try await backOffice.countDemoUsage(app: catalog.app)
        try await backOffice.markDemoFilled(app: catalog.app)
    }

    /// Notifications that have to wait are tried again until none is left.
    private func applyAll() async throws {
        let waiting = try await backOffice.database.notificationCounts()["received"] ?? 0
        while true {
            try await parts.worker.drainHistory { applied in
                reach(Share.sent + (Share.applied - Share.sent) * Double(applied) / Double(max(1, waiting)))
            }
            guard try await backOffice.database.hasUnfinishedNotifications() else { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The shares of the work that are done when everything is sent, and when everything is applied.
    private enum Share {
        static let sent = 0.35
        static let applied = 0.9
    }

    private func reach(_ share: Double) {
        backOffice.filling.reach(share)
        if let percent = backOffice.filling.percent { script.fill(percent) }
    }

    private func tellWhereToSignIn(_ address: String) {
        let accounts = DemoAccount.all.map { account in
            "  \(account.role.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)) \(account.email)"
        }
        script.say(
            """

            Sign in at http://\(address) with the password  \(script.password)  as
            \(accounts.joined(separator: "\n"))

            Ctrl-C stops it; what it holds stays in \(configuration.stateDirectory.path).

            """
        )
    }

    private func address(_ port: Int) -> String {
        let host = ["0.0.0.0", "::", ""].contains(configuration.host) ? "127.0.0.1" : configuration.host
        return "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
