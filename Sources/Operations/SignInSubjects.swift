import Crypto
import Foundation
import Storage

/// Whose failures a try to sign in counts against.
struct SignInSubjects: Sendable {
    /// The e-mail address typed, as a hash (what people type there by mistake is sometimes their password); or whose codes; or a
    /// browser that the account knows.
    let account: String
    /// nil where one address may have guessed as often as it likes.
    let address: String?

    init(email: String?, address: String?) {
        account = "account:" + Array(SHA256.hash(data: Array((email ?? "").utf8))).hexadecimal
        self.address = address.map { "address:\(Self.network(of: $0))" }
    }

    /// Of a browser that has signed in to the account before: counted for it alone, whatever strangers do from its address.
    init(passwordOf staff: Staff.ID, on device: SecretToken) {
        (account, address) = ("device:\(staff):\(device.hash.hexadecimal)", nil)
    }

    /// Of somebody whose password was right: their codes are counted apart, so that a stranger who guesses passwords keeps
    /// nobody from their second factor.
    init(codesOf staff: Staff.ID, address: String?) {
        account = "code:\(staff)"
        self.address = address.map { "address:\(Self.network(of: $0))" }
    }

    /// The same on a browser that has signed in before: who only knows the password keeps nobody out either.
    init(codesOf staff: Staff.ID, on device: SecretToken) {
        (account, address) = ("device-code:\(staff):\(device.hash.hexadecimal)", nil)
    }

    /// Of somebody who is signed in and proves again who they are: nobody who is not can count against them.
    init(proofsOf staff: Staff.ID) {
        (account, address) = ("proof:\(staff)", nil)
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
