import HTTP
import Operations
import ServiceLifecycle
import Web

extension Wiring {
    func webConfiguration() throws -> WebConfiguration {
        guard configuration.trustedProxies.isEmpty || configuration.publicURL != nil else {
            throw ConfigurationProblem(
                "PERENNIAL_TRUSTED_PROXIES needs PERENNIAL_PUBLIC_URL, the https://… that browsers see: "
                    + "cookies, forms and links are made for it, not for what a proxy says"
            )
        }
        return try WebConfiguration(
            host: configuration.host,
            port: configuration.port,
            publicURL: configuration.publicURL,
            metricsToken: configuration.metricsToken,
            trustedProxies: configuration.trustedProxies,
            maximumConnections: OpenFiles.connections(with: OpenFiles.raiseLimit()),
            requiredTwoFactor: configuration.requiredTwoFactor,
            allowsPlainHTTP: configuration.allowsPlainHTTP
        )
    }

    func webServer(
        _ parts: Parts,
        _ web: WebConfiguration,
        isWorker: Bool,
        listening: @escaping @Sendable (Int) -> Void
    ) -> any Service {
        let check = ReadinessCheck(parts.backOffice, isWorker: isWorker)
        return webApplication(
            backOffice: parts.backOffice,
            configuration: web,
            metrics: Self.metrics,
            readiness: { await check.answer() },
            listening: listening,
            logger: logger
        )
    }
}
