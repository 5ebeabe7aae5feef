import HTTPTypes
import Synchronization

/// All routes, also as far as the router itself does not tell: who may come, and which methods a path has.
final class RouteMap: Sendable {
    private let list = Mutex<[RouteEntry]>([])
    private let described = Mutex<[DescribedRoute]>([])

    var entries: [RouteEntry] { list.withLock { $0 } }

    /// What the API can do, in the order of its routes.
    var operations: [DescribedRoute] { described.withLock { $0 } }

    func describe(_ operation: APIOperation, method: HTTPRequest.Method, path: String, for access: RouteAccess) {
        described.withLock {
            $0.append(DescribedRoute(method: method, path: path, access: access, operation: operation))
        }
    }

    func add(_ entry: RouteEntry) {
        list.withLock { $0.append(entry) }
    }

    /// The methods of a path, for the `Allow` of 405; empty when there is nothing at it.
    func methods(at path: String) -> [String] {
        let segments = path.split(separator: "/")
        let matching = entries.filter { Self.matches($0.path.split(separator: "/")[...], segments[...]) }
        // As the router does, a name goes before whatever a variable part may be.
        let fewest = matching.map { $0.path.count { $0 == "{" } }.min()
        let methods = Set(matching.filter { $0.path.count { $0 == "{" } == fewest }.map(\.method))
        return (methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])).sorted()
    }

    private static func matches(_ pattern: ArraySlice<Substring>, _ path: ArraySlice<Substring>) -> Bool {
        guard let part = pattern.first else { return path.isEmpty }
        guard let segment = path.first else { return false }
        if part == "**" { return true }
        return (part.hasPrefix("{") || part == segment) && matches(pattern.dropFirst(), path.dropFirst())
    }
}

/// An operation of the API, and where it is.
struct DescribedRoute: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let access: RouteAccess
    let operation: APIOperation
}
