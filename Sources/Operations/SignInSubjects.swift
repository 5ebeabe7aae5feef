import Crypto
import Foundation
import Storage

/// Whose failures a try to sign in counts against.
struct SignInSubjects: Sendable {
    /// The e-mail address typed, as a hash (what people type there by mistake is sometimes their password); or whose codes.
    let account: String
    let address: String?

    init(email: String?, address: String?) {
        account = "account:" + Array(SHA256.hash(data: Array((email ?? "").utf8))).hexadecimal
        self.address = address.map { "address:\(Self.network(of: $0))" }
    }

    /// Of somebody whose password was right, or who is signed in: their codes are counted apart, so that a stranger who
    /// guesses passwords keeps nobody from their second factor.
    init(codesOf staff: Staff.ID, address: String?) {
        account = "code:\(staff)"
        self.address = address.map { "address:\(Self.network(of: $0))" }
    }

    var names: [String] { throttles.map(\.name) }

    var throttles: [(name: String, throttle: SignInThrottle)] {
        [(account, .account)] + (address.map { [($0, .address)] } ?? [])
    }

    /// An IPv6 address stands for its /64: whoever has one of them has all of them.
    static func network(of address: String) -> String {
        var bytes = in6_addr()
        guard address.contains(":"), inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        let prefix = withUnsafeBytes(of: &bytes) { Array($0.prefix(8)) }
        // ::ffff:192.0.2.1 is an IPv4 address in another dress.
        return prefix.allSatisfy { $0 == 0 } ? address : "\(prefix.hexadecimal)/64"
    }
}
