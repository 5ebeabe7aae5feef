package import Hummingbird
import Logging
package import Operations

/// Notices requests that come through a proxy which is none of ours. Everybody behind it has one address, so one who guesses
/// passwords is taken for all of them.
package struct ProxyWatch: Sendable {
    package let addresses: ClientAddress
    /// The host and port of the public URL; nil where that is this machine itself.
    package let publicHost: String?
    package let sightings: ProxySightings

    package init(addresses: ClientAddress, publicHost: String?, sightings: ProxySightings) {
        self.addresses = addresses
        self.publicHost = publicHost
        self.sightings = sightings
    }

    /// Says it in the log once for each proxy; `perennial doctor` says it as long as it is so.
    package func look(at request: Request, _ context: WebRequestContext) {
        let proxy = addresses.unknownProxy(of: request, peer: context.peer, publicHost: publicHost)
        guard let proxy, sightings.note(proxy) else { return }
        context.logger.warning(
            "requests come through a proxy that is not trusted; add it to PERENNIAL_TRUSTED_PROXIES",
            metadata: ["proxy": "\(proxy)"]
        )
    }
}
