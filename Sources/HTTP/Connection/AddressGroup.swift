import Foundation
package import NIOCore

/// The addresses whose connections are counted together. It is an IPv4 address, also one that an IPv6 address carries, or the
/// first 64 bits of any other IPv6 address, behind which one customer of a network has all.
package struct AddressGroup: Hashable, Sendable {
    private let isVersion4: Bool
    private let bits: UInt64

    /// nil for what has no address: a socket of this machine.
    package init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            isVersion4 = true
            bits = UInt64(UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let version4 = IPAddress.version4(in: bytes)
            isVersion4 = version4 != nil
            bits = (version4 ?? Array(bytes.prefix(8))).reduce(0) { $0 << 8 | UInt64($1) }
        case .unixDomainSocket, nil: return nil
        }
    }
}
