package import HTTPTypes
import Synchronization

/// All routes, with what the router itself does not tell: who may come, and a path's methods.
package final class RouteMap: Sendable {
    private let list = Mutex<[RouteEntry]>([])
    private let described = Mutex<[DescribedRoute]>([])
    private let pagePaths = Mutex<Set<String>>([])

    package init() {}

    package var entries: [RouteEntry] { list.withLock { $0 } }

    /// The operations of the API, in the order of its routes.
    package var operations: [DescribedRoute] { described.withLock { $0 } }

    package func describe(_ operation: APIOperation, method: HTTPRequest.Method, path: String, for access: RouteAccess)
    {
        described.withLock {
            $0.append(DescribedRoute(method: method, path: path, access: access, operation: operation))
        }
        if access == .customer || access == .open { pagePaths.withLock { _ = $0.insert(path) } }
    }

    package func add(_ entry: RouteEntry) {
        list.withLock { $0.append(entry) }
    }

    /// The methods of a path, for the `Allow` of 405; empty when there is nothing at it.
    package func methods(at path: String) -> [String] {
        let segments = path.split(separator: "/")
        let matching = entries.filter { Self.matches($0.path.split(separator: "/")[...], segments[...]) }
        // As the router does, a name goes before whatever a variable part may be.
        let fewest = matching.map { $0.path.count { $0 == "{" } }.min()
        let methods = Set(matching.filter { $0.path.count { $0 == "{" } == fewest }.map(\.method))
        return (methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])).sorted()
    }

    /// Returns true if a path is of the customer API, whose answers are in the caller's language.
    package func isForApps(_ path: String) -> Bool {
        let segments = path.split(separator: "/")
        return operations.contains { route in
            route.access.isForApps && Self.matches(route.path.split(separator: "/")[...], segments[...])
        }
    }

    /// Returns true if web pages may call a route: one of the API that is for customers, or for everybody.
    package func isForPages(_ route: String) -> Bool {
        pagePaths.withLock { $0.contains(route) }
    }

    /// The methods of a path that web pages may use; empty where they may not call it.
    package func crossOriginMethods(at path: String) -> [String] {
        let segments = path.split(separator: "/")
        let matching = operations.filter {
            isForPages($0.path) && Self.matches($0.path.split(separator: "/")[...], segments[...])
        }
        return Set(matching.map(\.method.rawValue)).sorted()
    }

    private static func matches(_ pattern: ArraySlice<Substring>, _ path: ArraySlice<Substring>) -> Bool {
        guard let part = pattern.first else { return path.isEmpty }
        guard let segment = path.first else { return false }
        if part == "**" { return true }
        return (part.hasPrefix("{") || part == segment) && matches(pattern.dropFirst(), path.dropFirst())
    }
}

/// An operation of the API, and where it is.
package struct DescribedRoute: Sendable {
    package let method: HTTPRequest.Method
    package let path: String
    package let access: RouteAccess
    package let operation: APIOperation
}
