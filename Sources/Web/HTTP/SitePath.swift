import APITypes

/// The URLs of what is neither page nor API: pages are in `DashboardPath`, the API in `APITypes.Paths`.
enum SitePath {
    static let root = "/"
    static let health = "/healthz"
    static let readiness = "/readyz"
    static let metrics = "/metrics"
    static let assets = "/assets"
    static let favicon = "/favicon.ico"
    /// What the router calls the route of a request that has none.
    static let nowhere = "NotFound"

    /// Whether the time of a route's answers says something about the service: it is one, and neither a file nor monitoring.
    static func isWork(_ route: String) -> Bool {
        switch route {
        case nowhere, health, readiness, metrics, favicon, assets + "/**": false
        default: true
        }
    }

    /// Whether all that a path answers says `success`, as the llm-proxy document has it.
    static func saysSuccess(_ path: String) -> Bool {
        path.hasPrefix("/ios/") && path != Paths.iosWebhook
    }

    /// Whether a path belongs to people rather than programs, so that its errors are pages.
    static func isForPeople(_ path: String) -> Bool {
        path == root || path == DashboardPath.home || path.hasPrefix(DashboardPath.home + "/")
    }
}
