import APITypes
import Billing
package import Operations

extension StoreAddresses {
    /// Those of a server behind a public URL, as its site map has them.
    ///
    /// - Parameter publicURL: as it is configured; nil, and one that is none, for a server of its own machine only, which stores cannot tell
    ///   anything.
    package init(publicURL: String?) {
        let origin = publicURL.flatMap { url in try? WebConfiguration.origin(of: url) }
        self.init { store, app in origin.map { $0 + Paths.notifications(of: store.rawValue, for: app) } }
    }
}
