package import Foundation

/// A certificate of an app's account at a store, as people compare it with the store's console.
package struct StoreCertificate: Hashable, Sendable {
    /// The name of the setting or secret that it is.
    package let name: String
    /// As the store's console shows it.
    package let serial: String
    package let endsAt: Date

    package init(_ name: String, serial: String, endsAt: Date) {
        (self.name, self.serial, self.endsAt) = (name, serial, endsAt)
    }
}
