import API
import Billing
import Desk
package import HTTP
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
package import Operations
import ServiceLifecycle
import Storage

/// The HTTP server over a back office, ready to run as a service.
///
/// - Parameters:
///   - metrics: where requests are counted, and what `/metrics` shows.
///   - readiness: asks the database, and whether its migrations are current; must answer within a second.
///   - listening: told the port once it takes connections.
package func webApplication(
    backOffice: BackOffice,
    configuration: WebConfiguration,
    metrics: PrometheusRegistry,
    readiness: @escaping @Sendable () async -> Readiness,
    listening: @escaping @Sendable (Int) -> Void = { _ in },
    logger: Logger
) -> some ApplicationProtocol {
    let site = RouteBuilder(
        backOffice: backOffice,
        configuration: configuration,
        metrics: metrics,
        readiness: readiness
    )
    let proxies = configuration.trustedProxies
    let limits = ConnectionLimits(
        inTotal: configuration.maximumConnections,
        perAddress: configuration.connectionsPerAddress,
        isShared: { text in
            guard let address = IPAddress(text) else { return false }
            return address.isLoopback || proxies.contains(address)
        }
    )
    return Application(
        router: site.router,
        server: .guarded(deadlines: configuration.deadlines, limits: limits),
        configuration: ApplicationConfiguration(
            address: .hostname(configuration.host, port: configuration.port),
            // Those that are about to leave for a newcomer are a few more.
            availableConnectionsDelegate: MaximumAvailableConnections(limits.inTotal + 64)
        ),
        onServerRunning: { listening($0.localAddress?.port ?? configuration.port) },
        logger: logger
    )
}

/// Serves the metrics to monitoring without a token, as a service on an address that only this machine itself reaches.
package func metricsApplication(
    at address: ListenAddress,
    metrics: PrometheusRegistry,
    logger: Logger
) -> some ApplicationProtocol {
    let router = Router(context: WebRequestContext.self, options: [.autoGenerateHeadEndpoints])
    router.on(RouterPath(SitePath.metrics), method: .get) { _, _ in metrics.response }
    let limits = ConnectionLimits(inTotal: 32)
    return Application(
        router: router,
        server: .guarded(deadlines: ConnectionDeadlines(), limits: limits),
        configuration: ApplicationConfiguration(
            address: .hostname(address.host, port: address.port),
            availableConnectionsDelegate: MaximumAvailableConnections(limits.inTotal + 16)
        ),
        logger: logger
    )
}

extension RouteBuilder {
    /// The whole site: doors, layers and routes.
    init(
        backOffice: BackOffice,
        configuration: WebConfiguration,
        metrics: PrometheusRegistry,
        readiness: @escaping @Sendable () async -> Readiness,
        receive: (@Sendable (String) async throws -> Void)? = nil
    ) {
        let assets = AssetFolder()
        let cookies = SiteCookies(isSecure: configuration.isSecure)
        let origins = OriginCheck(
            publicURL: configuration.publicURL,
            allowsAnyHost: configuration.allowsPlainHTTP
        )
        let addresses = ClientAddress(proxies: configuration.trustedProxies)
        let counts = CappedCounts()
        self.init(
            staff: StaffAuthenticator(
                backOffice: backOffice,
                cookies: cookies,
                origins: origins,
                addresses: addresses,
                assets: assets.paths,
                requiredTwoFactor: configuration.requiredTwoFactor
            ),
            tokens: TokenAuthenticator(
                backOffice: backOffice,
                addresses: addresses,
                requiredTwoFactor: configuration.requiredTwoFactor
            )
        )
        let controllers = Controllers(
            desk: DeskControllers(
                staffDoor,
                publicURL: configuration.publicURL,
                counts: counts,
                routes: map,
                origin: configuration.publicURL ?? "http://localhost:\(configuration.port)"
            ),
            api: APIControllers(
                backOffice: backOffice,
                addresses: addresses,
                counts: counts,
                publicURL: configuration.publicURL,
                receive: receive
            ),
            health: HealthController(
                check: readiness,
                registry: metrics,
                metricsToken: configuration.metricsToken
            ),
            assets: assets
        )
        let responder = ErrorResponder(assets: assets.paths, routes: map)
        router.add(
            middleware: RequestLogMiddleware(
                metrics: RequestMetrics(registry: metrics),
                health: backOffice.health,
                proxies: ProxyWatch(
                    addresses: addresses,
                    publicHost: configuration.publicHost,
                    sightings: backOffice.proxies
                )
            )
        )
        router.add(middleware: CrossOrigin(apps: backOffice.apps, routes: map))
        router.add(middleware: SecurityHeaders(isSecure: configuration.isSecure))
        router.add(middleware: RateLimitFields())
        router.add(middleware: ErrorMiddleware(responder: responder, staff: staffDoor))
        router.add(middleware: RequestLimits())
        addRoutes(controllers)
    }
}
