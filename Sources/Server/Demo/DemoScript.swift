package import Foundation
import Operations

/// The demo's needs from outside: a catalogue, the store that plays its customers, and a place to report progress.
package struct DemoScript: Sendable {
    /// The catalogue file of the app that is shown.
    package var catalog: String
    /// The DER roots of the played store: of what it signs, and of its receipts.
    package var authorityRoots: [[UInt8]]
    package var password: String
    package var people: [CustomerName]
    /// nil for a demo of Apple alone.
    package var stores: DemoStores?
    /// Smaller apps beside it, at the App Store alone.
    package var others: [OtherApp]
    /// Sends the store's notifications to the address of the webhook, and tells how much of them was sent, 0 to 1.
    package var play:
        @Sendable (_ webhook: String, _ progress: @escaping @Sendable (Double) -> Void) async throws -> Void
    /// Told of each step as it begins, and nil when the last is done.
    package var begin: @Sendable (DemoStep?) -> Void
    /// Told how far the filling is, in percent.
    package var fill: @Sendable (Int) -> Void
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

    /// A smaller app, with its customers' names.
    package struct OtherApp: Sendable {
        /// Its catalogue file.
        package var catalog: String
        package var people: [CustomerName]

        package init(catalog: String, people: [CustomerName]) {
            (self.catalog, self.people) = (catalog, people)
        }
    }

    package init(
        catalog: String,
        authorityRoots: [[UInt8]],
        password: String,
        people: [CustomerName],
        stores: DemoStores? = nil,
        others: [OtherApp] = [],
        play: @escaping @Sendable (String, @escaping @Sendable (Double) -> Void) async throws -> Void,
        begin: @escaping @Sendable (DemoStep?) -> Void,
        fill: @escaping @Sendable (Int) -> Void,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.catalog = catalog
        self.authorityRoots = authorityRoots
        self.password = password
        self.people = people
        self.stores = stores
        self.others = others
        self.play = play
        self.begin = begin
        self.fill = fill
        self.say = say
    }
}

/// A step that takes time before a demo shows everything.
package enum DemoStep: String, Sendable {
    case database
    case filling
}

extension Wiring {
    /// Serves, with demo data that came in through the webhook like everything else; pages from the first moment on.
    package func demo(_ script: DemoScript) async throws {
        script.begin(.database)
        try await serve([.web, .worker]) { parts, ports in
            // From before the worker begins: what a start that was cut short has left waits, too.
            parts.backOffice.recording.turn(to: .whenSigned)
            return [DemoFilling(script: script, parts: parts, ports: ports, configuration: configuration)]
        }
    }
}
