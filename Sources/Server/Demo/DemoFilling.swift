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
        var catalog = try CatalogFile.read(
            script.catalog,
            simulator: script.authorityRoots,
            beside: script.stores?.accounts
        )
        script.stores?.stock(&catalog)
        let isFilled = try await backOffice.isDemoFilled(app: catalog.app)
        if isFilled { backOffice.recording.turn(to: .whenApplied) } else { backOffice.filling.reach(0) }
        _ = try await backOffice.applyCatalog(catalog)
        let others = try script.others.filter { $0.catalog != script.catalog }.map { app in
            (catalog: try CatalogFile.read(app.catalog, simulator: script.authorityRoots), people: app.people)
        }
        for other in others { _ = try await backOffice.applyCatalog(other.catalog) }
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
        if isFilled {
            try await recallSales(of: catalog.app)
            try await script.stores?.recallSubscribers()
        } else {
            try await play(catalog, others, at: address)
        }
        try await backOffice.prepareDemoRefunds(app: catalog.app) { store, number in
            if store == .wechat { script.stores?.spoilRefund(number) }
        }
        for other in others { try await backOffice.prepareDemoRefunds(app: other.catalog.app) }
        _ = try await backOffice.scheduleBills()
        backOffice.filling.end()
        script.begin(nil)
        script.say("\nPerennial is ready: http://\(address)\n")
    }

    private func play(
        _ catalog: Catalog,
        _ others: [(catalog: Catalog, people: [DemoScript.CustomerName])],
        at address: String
    ) async throws {
        // The history is heard as it happened, and worked on when all of it is there; what comes after it when it comes.
        try await script.play("http://\(address)/webhooks/apple") { reach($0 * Share.sent) }
        try await applyAll()
        try await shop(catalog)
        backOffice.recording.turn(to: .whenApplied)
        _ = try await backOffice.foldRollups()
        reach(Share.applied)
        try await recallSales(of: catalog.app)
        try await backOffice.identifyCustomers(
            (script.people + (script.stores?.subscribers ?? [])).map { CustomerIntroduction($0) },
            toApp: catalog.app
        )
        for other in others {
            try await backOffice.identifyCustomers(
                other.people.map { CustomerIntroduction($0) },
                toApp: other.catalog.app
            )
        }
        try await script.stores?.tell("http://\(address)/webhooks/google")
        for app in [catalog.app] + others.map(\.catalog.app) {
            try await backOffice.giveDemoGrants(app: app)
            try await backOffice.countDemoUsage(app: app)
        }
        if script.stores != nil { try await backOffice.giveDemoPromoCodes(app: catalog.app) }
        try await backOffice.markDemoFilled(app: catalog.app)
        script.stores?.recorded()
    }

    /// The past of the stores that are not told of by their messages: orders of ours, and what Google said when it was asked.
    private func shop(_ catalog: Catalog) async throws {
        guard let stores = script.stores else { return }
        let backOffice = backOffice
        try await backOffice.inTurns(
            stores.shoppers,
            progress: { done in
                let share = Double(done) / Double(max(1, stores.shoppers.count))
                reach(Share.received + (Share.applied - Share.received) * 0.7 * share)
            },
            { shopper in
                try await backOffice.recordDemoOrders(
                    shopper.orders.map(\.order),
                    of: CustomerIntroduction(shopper.name),
                    toApp: catalog.app
                )
            }
        )
        try await backOffice.recordDemoEvents(try await stores.events(), toApp: catalog.app)
    }

    /// WeChat Pay and Alipay know nothing of their payments when they start.
    private func recallSales(of app: String) async throws {
        guard let stores = script.stores else { return }
        for cashier in DemoStores.Cashier.allCases {
            let sales = try await backOffice.demoSales(at: cashier.store, app: app)
            stores.recall(cashier, sales.map { DemoStores.Sale($0) })
        }
    }

    /// Notifications that have to wait are tried again until none is left.
    private func applyAll() async throws {
        let waiting = try await backOffice.database.notificationCounts()["received"] ?? 0
        while true {
            try await parts.worker.drainHistory { applied in
                reach(Share.sent + (Share.received - Share.sent) * Double(applied) / Double(max(1, waiting)))
            }
            guard try await backOffice.database.hasUnfinishedNotifications() else { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The shares of the work that are done when everything is sent, when Apple's is applied, and when everything is.
    private enum Share {
        static let sent = 0.3
        static let received = 0.75
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

extension CustomerIntroduction {
    fileprivate init(_ name: DemoScript.CustomerName) {
        self.init(appAccountToken: name.appAccountToken, name: name.name, email: name.email)
    }
}
