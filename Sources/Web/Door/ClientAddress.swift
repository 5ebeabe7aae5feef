import HTTPTypes
import Hummingbird

/// Whose address a request comes from; only proxies of ours are believed.
struct ClientAddress: Sendable {
    let trustedProxies: Int

    /// With n proxies of ours the n-th entry from the end of `X-Forwarded-For` is what the outermost one saw.
    func of(_ request: Request, peer: String?) -> String? {
        guard trustedProxies > 0 else { return peer }
        let hops = request.headers[values: .forwardedFor].flatMap { $0.split(separator: ",") }
        guard hops.count >= trustedProxies else { return peer }
        return Self.address(in: hops[hops.count - trustedProxies]) ?? peer
    }

    /// Whether the request was made on this machine itself, through no proxy.
    func isLocal(_ request: Request, peer: String?) -> Bool {
        guard trustedProxies == 0, request.headers[.forwardedFor] == nil else { return false }
        return peer.map(Loopback.isLoopback(address:)) ?? false
    }

    /// The address of `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`; a port would make each
    /// connection look like somebody else.
    private static func address(in hop: Substring) -> String? {
        var text = hop.filter { $0 != " " }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[text.index(after: text.startIndex)..<end])
        } else if text.filter({ $0 == ":" }).count == 1 {
            text = String(text.prefix { $0 != ":" })
        }
        return (1...45).contains(text.utf8.count) && text.allSatisfy(isPartOfAddress) ? text : nil
    }

    private static func isPartOfAddress(_ character: Character) -> Bool {
        character.isHexDigit || character == "." || character == ":"
    }
}
