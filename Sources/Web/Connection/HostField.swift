import NIOHTTP1

/// The rules for the header that says whom a request is for (RFC 9112, 3.2).
enum HostField {
    /// Why a request cannot be answered; nil for one that can.
    ///
    /// Two hosts, or none, let a proxy and the server behind it read a request differently.
    static func problem(of head: HTTPRequestHead) -> String? {
        let hosts = head.headers["Host"]
        guard hosts.count <= 1 else { return "The request has more than one Host header." }
        guard let host = hosts.first else {
            return head.version == .http1_1 ? "The request has no Host header." : nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy(isPartOfAuthority) else {
            return "The Host header is not a host with or without a port."
        }
        return nil
    }

    private static func isPartOfAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case _: "-._~%:[]".utf8.contains(byte)
        }
    }
}
