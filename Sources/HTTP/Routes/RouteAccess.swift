package import HTTPTypes
package import Operations
package import Storage

/// The callers who may use a route. Every route has one; the tests hold the routes' table against the roles.
package enum RouteAccess: Hashable, Sendable {
    /// Everybody.
    case open
    /// Stores, who prove themselves by their signature.
    case store
    /// The operator's monitoring: requests with the metrics token.
    case operatorOnly
    /// Everyone who is signed in.
    case signedIn
    /// Signed-in staff whose role has the permission.
    case staff(Permission)
    /// Apps with an access token of one of their customers.
    case customer
    /// Apps' own servers, with a secret key that has the scope.
    case appServer(AppKeyScope)
    /// Programs with a staff token whose owner's role has the permission.
    case token(Permission)
}

extension RouteAccess {
    /// True if apps or their servers call it, for a route that is described as an operation of the API.
    package var isForApps: Bool {
        switch self {
        case .open, .customer, .appServer: true
        case .store, .operatorOnly, .signedIn, .staff, .token: false
        }
    }

    /// Returns true if a call at a path can change who may do what: then nothing that is remembered of staff holds any more.
    package func mayChangeStaff(at path: String) -> Bool {
        switch self {
        case .store, .customer, .appServer, .operatorOnly: false
        case .open: SitePath.isForPeople(path)
        case .signedIn, .staff, .token: true
        }
    }
}

/// One line of the site map.
package struct RouteEntry: Hashable, Sendable {
    package let method: HTTPRequest.Method
    package let path: String
    package let access: RouteAccess
    /// Requires a proof of identity within the last ten minutes, or asks for one.
    package var requiresReauthentication = false

    package init(
        method: HTTPRequest.Method,
        path: String,
        access: RouteAccess,
        requiresReauthentication: Bool = false
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.requiresReauthentication = requiresReauthentication
    }
}
