import Foundation

/// The address of a computer. An IPv4 address in the dress of IPv6 (`::ffff:192.0.2.1`), or behind a translator
/// (`64:ff9b::192.0.2.1`), is the IPv4 address.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16, in the order of the network.
    package let bytes: [UInt8]

    /// Longer text is no address.
    package static let longestText = 45

    /// - Parameter text: as RFC 4291 or dotted decimals write it, without port, brackets and zone.
    package init?(_ text: some StringProtocol) {
        guard (2...Self.longestText).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
        let text = String(text)
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let all = withUnsafeBytes(of: &six) { Array($0) }
            bytes = Self.version4(in: all) ?? all
        } else {
            return nil
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The IPv4 address that an IPv6 address carries (RFC 4291, 2.5.5.2; RFC 6052, 2.1); nil when it carries none.
    ///
    /// A translator passes on no address of a network of its own (RFC 6052, 3.1): what looks like one is not believed to be near us.
    package static func version4(in bytes: [UInt8]) -> [UInt8]? {
        let last = Array(bytes.suffix(4))
        if bytes.starts(with: mappedPrefix) { return last }
        return bytes.starts(with: translatedPrefix) && !IPAddress(bytes: last).isNear ? last : nil
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    private static let translatedPrefix: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

    /// The address with all bits behind the first `count` at zero.
    package func keeping(bits count: Int) -> IPAddress {
        IPAddress(
            bytes: bytes.enumerated().map { index, byte in
                let kept = min(max(count - index * 8, 0), 8)
                return kept == 0 ? 0 : byte & (0xFF << (8 - kept))
            }
        )
    }

    /// Of this machine, or of a network that does not reach beyond its owner's walls (RFC 1918, 3927, 4193, 4291, 6598).
    package var isNear: Bool { Self.near.contains { $0.contains(self) } }

    /// Of this machine itself (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
    package var isLoopback: Bool { Self.loopback.contains { $0.contains(self) } }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { try? AddressRange($0) }

    private static let near = [
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "::1",
        "fc00::/7", "fe80::/10",
    ].compactMap { try? AddressRange($0) }
}

extension IPAddress: CustomStringConvertible {
    /// The one spelling of it (RFC 5952).
    package var description: String {
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        var text = [CChar](repeating: 0, count: Self.longestText + 1)
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
