import Billing
package import Foundation
import Logging
import Operations
import ServiceLifecycle
import Storage

/// What the demo needs from outside: a catalogue, the store that plays its customers, and where to say how far it is.
package struct DemoScript: Sendable {
    /// The catalogue file of the app that is shown.
    package var catalog: String
    /// The DER roots of the played store: of what it signs, and of its receipts.
    package var authorityRoots: [[UInt8]]
    package var password: String
    package var people: [CustomerName]
    /// Sends the store's notifications to the address of the webhook.
    package var play: @Sendable (_ webhook: String) async throws -> Void
    package var say: @Sendable (String) -> Void

    /// A customer as the app knows them.
    package struct CustomerName: Sendable {
        package var appAccountToken: UUID
        package var name: String
        package var email: String

        package init(appAccountToken: UUID, name: String, email: String) {
            self.appAccountToken = appAccountToken
            self.name = name
            self.email = email
        }
    }

    package init(
        catalog: String,
        authorityRoots: [[UInt8]],
        password: String,
        people: [CustomerName],
        play: @escaping @Sendable (_ webhook: String) async throws -> Void,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.catalog = catalog
        self.authorityRoots = authorityRoots
        self.password = password
        self.people = people
        self.play = play
        self.say = say
    }
}

extension Wiring {
    /// Serves, with demo data that came in through the webhook like everything else.
    package func demo(_ script: DemoScript) async throws {
        try await serve([.web, .worker]) { backOffice in
            [DemoFilling(script: script, backOffice: backOffice, configuration: configuration)]
        }
    }
}

/// Fills the demo once, says where it is, and waits for the end.
private struct DemoFilling: Service {
    let script: DemoScript
    let backOffice: BackOffice
    let configuration: ServerConfiguration

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await self.fill()
                self.announce()
                try await gracefulShutdown()
            }
        } catch  where Task.isShuttingDownGracefully {
            // Told to stop, perhaps in the middle; the next start goes on.
        }
    }

    private func fill() async throws {
        let catalog = try CatalogFile.read(script.catalog, simulator: script.authorityRoots)
        _ = try await backOffice.applyCatalog(catalog)
        try await backOffice.prepareDemoAccounts(password: script.password)
        try await backOffice.prepareDemoRates()
        if !(try await backOffice.isDemoFilled(app: catalog.app)) { try await play(catalog) }
        try await backOffice.prepareDemoRefunds(app: catalog.app)
    }

    private func play(_ catalog: Catalog) async throws {
        script.say("Playing two years of store life through the webhook (once, a minute or two)")
        // The history is heard as it happened; what comes after it when it comes.
        backOffice.recording.turn(to: .whenSigned)
        try await script.play("http://\(address)/webhooks/apple")
        while try await backOffice.database.hasUnfinishedNotifications() {
            try await Task.sleep(for: .milliseconds(100))
        }
        backOffice.recording.turn(to: .whenApplied)
        script.say("Adding it up in the order in which it was signed")
        // A customer's subscriptions were worked on side by side.
        _ = try await backOffice.rebuildRollups()
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

    private func announce() {
        let accounts = DemoAccount.all.map { account in
            "  \(account.role.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)) \(account.email)"
        }
        script.say(
            """

            Perennial is ready: http://\(address)

            Sign in with the password  \(script.password)  as
            \(accounts.joined(separator: "\n"))

            Ctrl-C stops it; what it holds stays in \(configuration.stateDirectory.path).

            """
        )
    }

    private var address: String {
        let host = ["0.0.0.0", "::", ""].contains(configuration.host) ? "127.0.0.1" : configuration.host
        return "\(host.contains(":") ? "[\(host)]" : host):\(configuration.port)"
    }
}
