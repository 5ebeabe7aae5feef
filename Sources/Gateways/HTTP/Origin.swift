import Foundation

/// Scheme, host and port of an address that can be asked over HTTP.
struct Origin: Hashable, Sendable {
    /// `http` or `https`.
    let scheme: String
    let host: String
    /// nil for the scheme's own.
    let port: Int?

    /// - Returns: nil for what is no address of HTTP, and for what no line of a request can hold.
    init?(of address: String) {
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let url = URL(string: address),
            let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port
    }
}

extension StoreRequest {
    /// True where method and headers can be written as lines: a line break in one of them would begin another.
    var hasSendableHead: Bool {
        Self.isToken(method)
            && headers.allSatisfy { name, value in
                Self.isToken(name) && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            }
    }

    /// RFC 9110, 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: marks.contains(byte)
                }
            }
    }

    private static let marks = Set("!#$%&'*+-.^_`|~".utf8)
}
