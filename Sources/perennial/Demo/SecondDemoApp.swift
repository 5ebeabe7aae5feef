import Foundation
import Server
import StoreSimulator

/// A smaller app of another country beside the demo's first: a year of it, at the App Store.
struct SecondDemoApp: Sendable {
    private let subscribers: SimulatedSubscribers

    /// - Parameter customers: those of the first app; this one has one for every ten of them, at least some.
    init(seed: UInt64, customers: Int, until end: Date) {
        subscribers = SimulatedSubscribers(
            seed: seed &+ 1,
            customers: max(40, customers / 10),
            months: 12,
            endingAt: end,
            catalog: .kombin
        )
    }

    var app: DemoScript.OtherApp {
        DemoScript.OtherApp(
            catalog: "Catalogs/kombin.yaml",
            people: subscribers.people.map { .init(appAccountToken: $0, name: $1.name, email: $1.email) }
        )
    }

    /// All that the store tells of it.
    func notifications() -> [SimulatedNotification] { subscribers.notifications() }
}
