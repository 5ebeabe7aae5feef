import HTTPTypes
package import Hummingbird

/// Finds the address that a request comes from; only proxies of ours are believed (docs/operations.md, "Behind a proxy").
package struct ClientAddress: Sendable {
    package let proxies: TrustedProxies

    package init(proxies: TrustedProxies) {
        self.proxies = proxies
    }

    /// The address next to the last proxy of ours, in its one spelling.
    ///
    /// The headers are read from the right, where our proxies write, and no farther than the first address that is not ours. Where
    /// a proxy of ours hides whom it had the request from, it is the client itself. With both headers a proxy may have
    /// passed one of them on as it came; so they count where they say the same, and else the client is who connects to us.
    package func of(_ request: Request, peer: String?) -> String? {
        guard let peer, let address = IPAddress(peer) else { return peer }
        return client(from: address, request.headers).description
    }

    /// The address that a request is counted by, of IPv6 the network of 64 bits, which one customer of a provider has all of.
    ///
    /// - Returns: nil for what comes from this machine itself, which has no address of its own, and for what a proxy of ours does not say
    ///   where it is from.
    package func counted(_ request: Request, peer: String?) -> String? {
        guard let text = of(request, peer: peer), let address = IPAddress(text), !address.isLoopback,
            !proxies.contains(address)
        else { return nil }
        return (address.bytes.count == 16 ? address.keeping(bits: 64) : address).description
    }

    /// The peer of a request that has passed a proxy near us that is none of ours; nil for any other.
    ///
    /// - Parameter publicHost: the host and port of the public URL; nil where that is this machine itself.
    package func unknownProxy(of request: Request, peer: String?, publicHost: String?) -> String? {
        guard let address = peer.flatMap({ IPAddress($0) }), address.isNear, !proxies.contains(address) else {
            return nil
        }
        let isPassedOn =
            request.headers[.forwardedFor] != nil || request.headers[.forwarded] != nil
            || publicHost != nil && request.head.authority?.lowercased() == publicHost
        return isPassedOn ? address.description : nil
    }

    private func client(from peer: IPAddress, _ headers: HTTPFields) -> IPAddress {
        guard proxies.contains(peer) else { return peer }
        let named = [ForwardedHops.legacy(in: headers), ForwardedHops.standard(in: headers)].compactMap(\.self)
            .map { client(from: peer, over: $0) }
        guard let client = named.first, named.allSatisfy({ $0 == client }) else { return peer }
        return client
    }

    private func client(from peer: IPAddress, over hops: [IPAddress?]) -> IPAddress {
        var client = peer
        for hop in hops.reversed() {
            guard let hop else { return client }
            client = hop
            guard proxies.contains(hop) else { return client }
        }
        return client
    }
}
