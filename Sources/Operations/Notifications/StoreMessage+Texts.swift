import Billing
import Crypto
import Foundation
import Gateways

/// A store's names in a message, in a form that can be kept whatever they are: the store has signed it, so it must not be resent forever.
extension StoreMessage {
    /// Its id, or the digest of an id that no index could hold: the same on every delivery.
    var key: String {
        guard !id.isKeepable else { return id }
        return "sha256:" + SHA256.hash(data: Data(id.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    var typeLabel: String { type.asLabel }

    var subtypeLabel: String? { subtype?.asLabel }
}

extension String {
    fileprivate var isKeepable: Bool { utf8.count <= StoreEvent.longestIdentifier && !utf8.contains(0) }

    /// As much of it as a list can show; all of it stands in what was signed.
    fileprivate var asLabel: String { isKeepable ? self : String(prefix(60)).replacing("\0", with: "") }
}
