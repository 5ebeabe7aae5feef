import HTTPTypes
import Operations

/// Who may come to a route. Every route has one; the routes' table is what the tests hold against the roles.
enum RouteAccess: Hashable, Sendable {
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
    /// Programs with a staff token whose owner's role has the permission.
    case token(Permission)
}

/// One line of the site map.
struct RouteEntry: Hashable, Sendable {
    let method: HTTPRequest.Method
    let path: String
    let access: RouteAccess
    /// Requires a proof of identity within the last ten minutes, or asks for one.
    var requiresReauthentication = false
}
