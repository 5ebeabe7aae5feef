import Foundation
import NIOCore

/// Whose connections are counted together: an IPv4 address, or the first 64 bits of an IPv6 address, behind which one customer of
/// a network has all.
struct AddressGroup: Hashable, Sendable {
    private let isVersion4: Bool
    private let bits: UInt64

    /// nil for what has no address: a socket of this machine.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            isVersion4 = true
            bits = UInt64(UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            // ::ffff:192.0.2.1, an IPv4 address.
            isVersion4 = bytes.starts(with: Self.mapped)
            bits = (isVersion4 ? bytes[12...] : bytes[..<8]).reduce(0) { $0 << 8 | UInt64($1) }
        case .unixDomainSocket, nil: return nil
        }
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
}
