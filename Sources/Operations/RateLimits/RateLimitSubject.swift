package import Billing
import Crypto
import Foundation
package import Storage

/// Whom a limit counts.
package struct RateLimitSubject: Sendable, Hashable {
    package let policy: RateLimitPolicy
    let name: String

    package static func session(_ id: CustomerSession.ID) -> Self { Self(policy: .session, name: id.description) }
    package static func customer(_ id: Customer.ID) -> Self { Self(policy: .customer, name: id.description) }
    package static func key(_ id: AppKey.ID) -> Self { Self(policy: .key, name: id.description) }
    package static func receipts(of id: Customer.ID) -> Self { Self(policy: .receipts, name: id.description) }

    /// - Parameter address: in its one spelling; of IPv6 its network.
    package static func address(_ address: String) -> Self { Self(policy: .address, name: address) }
    package static func signIns(from address: String) -> Self { Self(policy: .signIns, name: address) }

    /// Half of a SHA-256: nobody's address is written down.
    var bucket: UUID {
        var bytes = Array(SHA256.hash(data: Data("\(policy.rawValue) \(name)".utf8)).prefix(16))
        return bytes.withUnsafeMutableBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}
