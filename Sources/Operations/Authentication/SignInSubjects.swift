import Crypto
import Foundation
import Storage

/// The subjects whose failures a sign-in attempt counts against.
struct SignInSubjects: Sendable {
    /// The e-mail address typed, as a hash (what people type there by mistake is sometimes their password); or whose
    /// codes; or a browser that the account knows.
    let account: String
    /// nil where one address may have guessed as often as it likes.
    let address: String?

    init(email: String?, address: String?) {
        account = "account:" + Array(SHA256.hash(data: Array((email ?? "").utf8))).hexadecimal
        self.address = address.map { "address:\(Self.network(of: $0))" }
    }

    /// Of a browser that has signed in to the account before: counted for it alone, whatever strangers do from its
    /// address.
    init(passwordOf staff: Staff.ID, on device: SecretToken) {
        (account, address) = ("device:\(staff):\(device.hash.hexadecimal)", nil)
    }

    /// Of somebody whose password was right: their codes are counted apart, so that a stranger who guesses passwords
    /// keeps nobody from their second factor.
    init(codesOf staff: Staff.ID, address: String?) {
        account = "code:\(staff)"
        self.address = address.map { "address:\(Self.network(of: $0))" }
    }

    /// The same on a browser that has signed in before: somebody who only knows the password locks nobody out either.
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

    /// Until when a try is refused, after what is counted; nil when it is let in.
    func lockout(after known: [String: SignInFailures], at now: Date) -> Date? {
        throttles.compactMap { name, throttle -> Date? in
            guard case .refused(let until) = throttle.verdict(on: known[name], at: now) else { return nil }
            return until
        }.max()
    }

    /// An IPv6 address counts as its /64, because one host has all of it. One that carries an IPv4 address
    /// stands for that: the whole of IPv4 is in one /64 there.
    static func network(of address: String) -> String {
        var parsed = in6_addr()
        guard address.contains(":"), inet_pton(AF_INET6, address, &parsed) == 1 else { return address }
        let bytes = withUnsafeBytes(of: &parsed) { Array($0) }
        if carriersOfIPv4.contains(where: { bytes.starts(with: $0) }) {
            return bytes.suffix(4).map { String($0) }.joined(separator: ".")
        }
        let prefix = Array(bytes.prefix(8))
        return prefix.allSatisfy { $0 == 0 } ? address : "\(prefix.hexadecimal)/64"
    }

    /// `::ffff:0:0/96`, IPv4 in the dress of IPv6 (RFC 4291, 2.5.5.2), and `64:ff9b::/96`, IPv4 behind a translator
    /// (RFC 6052, 2.1).
    private static let carriersOfIPv4: [[UInt8]] = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
}
