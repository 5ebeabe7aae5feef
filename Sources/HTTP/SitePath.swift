import APITypes

/// The URLs of what is neither page nor API: pages are in `DashboardPath`, the API in `APITypes.Paths`.
package enum SitePath {
    package static let root = "/"
    package static let health = "/healthz"
    package static let readiness = "/readyz"
    package static let metrics = "/metrics"
    package static let assets = "/assets"
    package static let favicon = "/favicon.ico"
    /// The orders that customers pay, each at its number.
    package static let pay = "/pay"
    /// The API reference, for people.
    package static let docs = "/docs"

    /// Returns the address that explains the operations of a tag.
    package static func reference(of tag: APIOperation.Tag) -> String { "\(docs)/\(tag.slug)" }

    /// Returns the address that explains an operation.
    package static func reference(of operation: APIOperation) -> String {
        "\(reference(of: operation.tag))#\(operation.id)"
    }

    /// Returns the address that explains an error.
    package static func reference(of error: ErrorAnswer) -> String { "\(docs)#error-\(error.rawValue)" }

    /// The router's name for the route of a request that has none.
    package static let nowhere = "NotFound"

    /// Returns true if the time of a route's answers says something about the service: it is a route, and neither a file nor
    /// monitoring.
    package static func isWork(_ route: String) -> Bool {
        switch route {
        case nowhere, health, readiness, metrics, favicon, assets + "/**": false
        default: true
        }
    }

    /// Returns true if every answer at a path says `success`, as the llm-proxy document has it.
    package static func saysSuccess(_ path: String) -> Bool {
        path.hasPrefix("/ios/") && path != Paths.iosWebhook
    }

    /// Returns true if a path belongs to people rather than programs, so that its errors are pages.
    package static func isForPeople(_ path: String) -> Bool {
        path == root || path == DashboardPath.home || path.hasPrefix(DashboardPath.home + "/")
            || path == docs || path.hasPrefix(docs + "/")
    }
}
