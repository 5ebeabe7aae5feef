import HTTPTypes
import Hummingbird
import Operations

/// The routes under construction: a route cannot be added without saying who may come.
struct Site {
    let router = Router(context: SiteContext.self, options: [.autoGenerateHeadEndpoints])
    let map = RouteMap()
    let staffDoor: StaffDoor
    private let tokenDoor: TokenDoor

    init(staff: StaffDoor, tokens: TokenDoor) {
        staffDoor = staff
        tokenDoor = tokens
    }

    /// A route that checks for itself whom it answers.
    func add(
        _ method: HTTPRequest.Method,
        _ path: String,
        for access: RouteAccess,
        use handler: @escaping @Sendable (Request, SiteContext) async throws -> Response
    ) {
        map.add(RouteEntry(method: method, path: path, access: access))
        router.on(RouterPath(path), method: method) { request, context in
            try await handler(request, context)
        }
    }

    /// A page or form for signed-in staff.
    ///
    /// - Parameter permission: nil for what everybody who is signed in may do.
    func staff(
        _ method: HTTPRequest.Method,
        _ path: String,
        needs permission: Permission?,
        use handler: @escaping @Sendable (StaffCall) async throws -> Response
    ) {
        let takesForm = method != .get
        add(method, path, for: permission.map(RouteAccess.staff) ?? .signedIn) { [staffDoor] request, context in
            let call = try await staffDoor.enter(request, context, needs: permission, takesForm: takesForm)
            var response = try await handler(call)
            if call.viewer.done != nil { response.addCookie(call.cookies.remove(call.cookies.done)) }
            return response
        }
    }

    /// A resource of the admin API.
    func token(
        _ method: HTTPRequest.Method,
        _ path: String,
        needs permission: Permission,
        use handler: @escaping @Sendable (TokenCall) async throws -> Response
    ) {
        add(method, path, for: .token(permission)) { [tokenDoor] request, context in
            try await handler(tokenDoor.enter(request, context, needs: permission))
        }
    }
}
