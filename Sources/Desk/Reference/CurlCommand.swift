import APITypes
import HTTP
import HTTPTypes

/// A call of an operation with curl, to be copied into a shell in which `TOKEN` is a token and `APP` an app's slug.
struct CurlCommand: Sendable {
    let text: String

    /// - Parameter origin: the origin of the API, such as `https://office.example.com`.
    init(_ route: DescribedRoute, origin: String) {
        var lines = ["curl -X \(route.method.rawValue) \(Self.quoted(origin + Self.target(of: route)))"]
        if route.takesToken { lines.append(#"-H "Authorization: Bearer $TOKEN""#) }
        // A token of a customer says which app; without one it has to be said wherever several are kept.
        if route.operation.query.contains(where: { $0.name == APIParameter.app.name }) {
            lines.append(#"-H "X-App: $APP""#)
        }
        if route.takesKey { lines.append(#"-H "Idempotency-Key: $(uuidgen)""#) }
        if let body = route.operation.body {
            lines.append("-H 'Content-Type: application/json'")
            lines.append("-d \(Self.quoted(body.schema.example()))")
        }
        text = lines.joined(separator: " \\\n  ")
    }

    private static func target(of route: DescribedRoute) -> String {
        let path = route.operation.path.reduce(route.path) { path, parameter in
            path.replacing("{\(parameter.name)}", with: DashboardPath.encoded(parameter.schema.scalarExample.text))
        }
        var query = QueryText()
        for parameter in route.operation.query where parameter.isRequired {
            query.add(parameter.name, parameter.schema.scalarExample.text)
        }
        return path + query.text
    }

    /// As one word of a shell (POSIX, 2.2.2).
    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
