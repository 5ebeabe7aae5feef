package import Billing

/// The addresses under which stores reach this server, for what is asked of a store without a request that came under one.
package struct StoreAddresses: Sendable {
    /// The address for a store's notifications about an app, by the app's slug; nil where stores cannot reach the server.
    package let notifications: @Sendable (Store, String) -> String?

    package init(notifications: @escaping @Sendable (Store, String) -> String?) {
        self.notifications = notifications
    }

    /// Those of a server that stores cannot reach.
    package static let none = StoreAddresses { _, _ in nil }
}
